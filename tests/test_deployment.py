"""What is shipped for operators fits the server that it is shipped with."""

import json
import re
from pathlib import Path

from qipai.games.game_registry import GAMES
from qipai.hall.hall import Hall
from qipai.server.metrics import registry
from qipai.settings import load
from qipai.stores.memory_store import MemoryStore

ROOT = Path(__file__).parents[1]


def test_every_number_on_the_dashboard_is_one_that_the_server_gives() -> None:
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    asked = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b(?:qipai|process)_\w+", target["expr"])
    }
    hall = Hall(GAMES, MemoryStore())
    given = {sample.name for metric in registry(hall).collect() for sample in metric.samples}
    # A table's number is given once there is a table.
    assert asked <= given | {"qipai_rooms"}
    assert {name for name in given if name.startswith("qipai_") and not name.endswith("_created")} <= asked


def test_every_alert_is_about_a_number_that_the_server_gives() -> None:
    rules = (ROOT / "deploy" / "alerts.yml").read_text("utf-8")
    hall = Hall(GAMES, MemoryStore())
    given = {sample.name for metric in registry(hall).collect() for sample in metric.samples}
    expressions = re.findall(r"^ +expr: (.+)$", rules, re.MULTILINE)
    assert len(expressions) == rules.count("- alert:")
    for expression in expressions:
        asked = set(re.findall(r"\bqipai_\w+", expression))
        assert asked, expression
        assert asked <= given, expression


def test_a_proxy_takes_no_answer_for_a_dead_worker_and_nothing_ends_a_worker_because_of_redis() -> None:
    # Whoever looks for a finished game while the archive is away gets 503 from each worker in turn.
    assert "503" not in re.sub("#.*", "", (ROOT / "deploy" / "Caddyfile").read_text("utf-8"))
    assert "503" not in re.sub("#.*", "", (ROOT / "deploy" / "nginx.conf").read_text("utf-8"))
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert "/health" in image
    assert "/ready" not in image


def test_the_settings_of_the_composition_are_settings_of_the_server() -> None:
    composed = (ROOT / "compose.yaml").read_text("utf-8")
    named = set(re.findall(r"^ +(QIPAI_\w+):", composed, re.MULTILINE))
    assert named == {"QIPAI_STORE", "QIPAI_ARCHIVE"}
    settings = load(None, {"QIPAI_STORE": "redis://redis:6379", "QIPAI_ARCHIVE": "postgresql://a@b/c"})
    assert settings.store == "redis://redis:6379"
    assert settings.archive == "postgresql://a@b/c"


def test_what_the_image_copies_is_there_and_what_it_runs_exists() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    assert "USER qipai" in text
    assert "HEALTHCHECK" in text
    extras = re.search(r"\.whl\)\[([\w,]+)\]", text)
    assert extras is not None
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extra in extras[1].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE), extra
    assert re.search(r"^dist:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    pins = (ROOT / "requirements" / "dev.txt").read_text("utf-8")
    for package in ("redis", "hiredis", "psycopg"):
        assert re.search(rf"^{package}==", pins, re.MULTILINE), package
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    for needed in ("src", "web", "tools", "requirements", "Makefile", "pyproject.toml", "README.md"):
        assert needed not in ignored
        assert (ROOT / needed).exists()
