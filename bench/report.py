"""The table with one line per scenario, and the report file with every run."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

HEADS: Final = ("scenario", "Qipai", "reference", "ratio", "target", "result")


class Row(Struct):
    """Result of a scenario; `met` is null without a target."""

    scenario: str
    unit: str
    target: str
    qipai: float | None = None
    reference: float | None = None
    ratio: float | None = None
    met: bool | None = None
    note: str = ""


class Report(Struct):
    """All results of a run."""

    machine: dict[str, str | int]
    quick: bool
    started: str
    rows: list[Row] = []
    runs: list[dict[str, Any]] = []

    def add_run(self, scenario: str, run: Struct) -> None:
        """Add a raw measurement."""
        self.runs.append({"scenario": scenario, **msgspec.to_builtins(run)})

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        path.write_bytes(msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def timestamp() -> str:
    """Return the present time for a report."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def table(rows: list[Row]) -> str:
    """Return the rows as one aligned table."""
    cells = [HEADS, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADS))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _cells(row: Row) -> tuple[str, ...]:
    result = "" if row.met is None else "met" if row.met else "missed"
    return (
        row.scenario,
        _figure(row.qipai, row.unit),
        _figure(row.reference, row.unit),
        _figure(row.ratio, ""),
        row.target,
        "; ".join(part for part in (result, row.note) if part),
    )


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if not unit else f"{value:.1f} {unit}"
