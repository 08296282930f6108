"""The committed schema, TypeScript types and protocol page match the types of the server."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.support.schema import Schema

ROOT = Path(__file__).resolve().parent.parent
TOOL: dict[str, Any] = runpy.run_module("tools.protocol")


@pytest.mark.parametrize("path", sorted(TOOL["files"]()))
def test_a_generated_file_is_up_to_date(path: str) -> None:
    made = TOOL["files"]()[path]
    assert (ROOT / path).read_text(encoding="utf-8") == made, f"{path} is stale: run python -m tools.protocol"


def test_every_reference_in_the_schema_is_defined() -> None:
    text = TOOL["schema"]()
    schema = json.loads(text)
    for reference in references(schema):
        assert reference.removeprefix("#/$defs/") in schema["$defs"]


def test_every_example_matches_the_schema_without_unknown_fields() -> None:
    schema = Schema(json.loads(TOOL["schema"]()))
    for line in (ROOT / TOOL["EXAMPLES"]).read_text(encoding="utf-8").splitlines():
        example = json.loads(line)
        faults = [schema.fault(example, name) for name in ("Intent", "Notice", "RoomEvent")]
        assert None in faults, (line, faults)


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
