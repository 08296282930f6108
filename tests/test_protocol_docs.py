"""The committed schema, TypeScript types and protocol page say what the server's types say."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOL: dict[str, Any] = runpy.run_module("tools.protocol")


@pytest.mark.parametrize("path", sorted(TOOL["files"]()))
def test_a_generated_file_is_what_the_types_make_of_it(path: str) -> None:
    made = TOOL["files"]()[path]
    assert (ROOT / path).read_text(encoding="utf-8") == made, f"{path} is stale: run python -m tools.protocol"


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    text = TOOL["schema"]()
    schema = json.loads(text)
    for reference in references(schema):
        assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_a_stale_file_is_named_and_fails_the_check(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = TOOL["files"]()
    space = TOOL["main"].__globals__
    monkeypatch.setitem(space, "files", lambda: made)
    monkeypatch.setitem(space, "ROOT", tmp_path)
    main = TOOL["main"]
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert not capsys.readouterr().err
    (tmp_path / TOOL["TYPES"]).write_text("export {};\n", encoding="utf-8")
    assert main(["--check"]) == 1
    assert TOOL["TYPES"] in capsys.readouterr().err


def references(part: Any) -> list[str]:
    if isinstance(part, list):
        return [found for item in part for found in references(item)]
    if not isinstance(part, dict):
        return []
    here = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
    return here + [found for item in part.values() for found in references(item)]
