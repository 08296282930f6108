"""The files in deploy/, the image and the composition match the server."""

import json
import re
import sysconfig
from pathlib import Path

import pytest

from qipai.event_loop import EventLoopMonitor
from qipai.games.game_registry import GAMES
from qipai.guard.connection_limits import BURST_SECONDS, ConnectionLimits
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.guarded_protocol import BODY_SECONDS
from qipai.guard.request_body import BODY_BYTES
from qipai.hall.hall import Hall
from qipai.server.metrics import registry
from qipai.settings import load
from qipai.stores.memory_store import MemoryStore

ROOT = Path(__file__).parents[2]


def exported_names() -> set[str]:
    """Return the names of all metrics; a histogram counts by its buckets."""
    metrics = registry(Hall(GAMES, MemoryStore()), ConnectionLimits(), (EventLoopMonitor(lambda: 0).lag,))
    return {
        sample.name
        for metric in metrics.collect()
        for sample in metric.samples
        if metric.type != "histogram" or sample.name.endswith("_bucket")
    }


def test_the_dashboard_uses_exactly_the_metrics_of_the_server() -> None:
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    used = {
        name
        for panel in board["panels"]
        for target in panel["targets"]
        for name in re.findall(r"\b(?:qipai|process)_\w+", target["expr"])
    }
    exported = exported_names()
    # This metric appears with the first room.
    assert used <= exported | {"qipai_rooms"}
    assert {name for name in exported if name.startswith("qipai_") and not name.endswith("_created")} <= used


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    board = json.loads((ROOT / "deploy" / "grafana.json").read_text("utf-8"))
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24, panel["title"]
        assert not cells & taken, panel["title"]
        taken |= cells


def test_every_metric_of_an_alert_is_in_the_document() -> None:
    rules = (ROOT / "deploy" / "alerts.yml").read_text("utf-8")
    document = (ROOT / "docs" / "operations.md").read_text("utf-8")
    expressions = " ".join(re.findall(r"^ +expr: (.+)$", rules, re.MULTILINE))
    used = {name.removesuffix("_bucket") for name in re.findall(r"\bqipai_\w+", expressions)}
    assert len(used) > 10
    assert {name for name in used if name not in document} == set()


def test_every_alert_uses_metrics_of_the_server() -> None:
    rules = (ROOT / "deploy" / "alerts.yml").read_text("utf-8")
    exported = exported_names()
    expressions = re.findall(r"^ +expr: (.+)$", rules, re.MULTILINE)
    assert len(expressions) == rules.count("- alert:")
    for expression in expressions:
        used = set(re.findall(r"\bqipai_\w+", expression))
        assert used, expression
        assert used <= exported, expression


def test_a_503_does_not_make_a_proxy_or_container_count_a_worker_as_dead() -> None:
    # While the archive is away, every worker answers 503 to a search for finished games.
    assert "503" not in re.sub("#.*", "", (ROOT / "deploy" / "Caddyfile").read_text("utf-8"))
    assert "503" not in re.sub("#.*", "", (ROOT / "deploy" / "nginx.conf").read_text("utf-8"))
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert "/health" in image
    assert "/ready" not in image


def test_a_client_that_breaks_off_its_request_does_not_make_a_proxy_skip_the_worker() -> None:
    # With `fail_duration` Caddy counts that as a failure of the worker. nginx does not.
    caddy = re.sub("#.*", "", (ROOT / "deploy" / "Caddyfile").read_text("utf-8"))
    assert "fail_duration" not in caddy
    # It has to try another worker instead; the one with the fewest connections would be the dead one again.
    assert "lb_try_duration" in caddy
    assert "least_conn" not in caddy


def test_the_proxies_have_the_limits_of_the_server() -> None:
    limits = GuardSettings()
    assert (limits.header_bytes, limits.header_seconds, BODY_SECONDS, BURST_SECONDS) == (16 * 1024, 10, 30, 5)
    assert BODY_BYTES >= 128 * 1024
    nginx = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for line in (
        "client_header_timeout 10s;",
        "client_body_timeout 30s;",
        "client_max_body_size 128k;",
        "large_client_header_buffers 2 8k;",
        f"limit_conn qipai_connections {limits.per_address};",
        f"rate={limits.handshakes_per_address}r/s;",
        f"burst={5 * limits.handshakes_per_address} nodelay;",
        f"rate={limits.requests_per_address}r/s;",
        f"burst={5 * limits.requests_per_address} nodelay;",
    ):
        assert line in nginx, line
    caddy = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
    for line in ("max_header_size 16KB", "read_header 10s", "read_body 30s", "max_size 128KB"):
        assert line in caddy, line


def test_the_composition_sets_settings_that_the_server_has() -> None:
    composition = (ROOT / "compose.yaml").read_text("utf-8")
    names = set(re.findall(r"^ +(QIPAI_\w+):", composition, re.MULTILINE))
    assert names == {"QIPAI_STORE", "QIPAI_ARCHIVE"}
    settings = load(None, {"QIPAI_STORE": "redis://redis:6379", "QIPAI_ARCHIVE": "postgresql://a@b/c"})
    assert settings.store == "redis://redis:6379"
    assert settings.archive == "postgresql://a@b/c"


@pytest.mark.parametrize(
    "arguments", [None, "'--enable-shared'", "'--enable-shared' '--enable-optimizations'"]
)
def test_an_image_on_a_python_without_profile_guided_optimisation_is_not_built(
    monkeypatch: pytest.MonkeyPatch, arguments: str | None
) -> None:
    check = re.search(r'^RUN python -c "(import sys, sysconfig; .+)"$', _dockerfile(), re.MULTILINE)
    assert check is not None
    monkeypatch.setattr(sysconfig, "get_config_var", {"CONFIG_ARGS": arguments}.get)
    if arguments is not None and "--enable-optimizations" in arguments:
        exec(check[1])
    else:
        with pytest.raises(SystemExit, match="without --enable-optimizations"):
            exec(check[1])


def _dockerfile() -> str:
    return (ROOT / "Dockerfile").read_text("utf-8")


def test_the_image_copies_and_runs_what_exists() -> None:
    text = _dockerfile()
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
