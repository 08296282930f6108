"""What a release leaves behind for the next ones: `python -m tests.laws.upgrade` writes it down."""

import sys
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct, field

from qipai import __version__
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Millis, RoomId
from qipai.kernel.room import Advanced, AnyRoom, Phase

from .runs import Opening, Run, journal, live, throw
from .subjects import SUBJECTS

FOLDER: Final = Path(__file__).parent / "snapshots"
CHOSEN: Final = {"tictactoe": 76, "duel": 76, "gomoku": 109, "mahjong": 62}
"""Seeds of long runs without known faults, so that fixes do not change them."""


class StoredEntry(Struct, frozen=True):
    """A record or a snapshot as stored."""

    version: int
    at: int
    body: Raw


class Legacy(Struct, frozen=True):
    """The whole history of one room as one release wrote it.

    `snapshots` are the room at several versions, the last of them at the end. `events` are those of each
    record after the first, with their recipients.
    """

    release: str
    game: str
    records: tuple[StoredEntry, ...]
    snapshots: tuple[StoredEntry, ...]
    events: tuple[Raw, ...] = field(name="told")

    def entries(self) -> list[Entry]:
        """Return the records as the store gives them."""
        room = RoomId("room")
        return [Entry(room, kept.version, Millis(kept.at), bytes(kept.body)) for kept in self.records]

    def saved(self) -> list[Snapshot]:
        """Return the snapshots as the store gives them."""
        room = RoomId("room")
        return [Snapshot(room, kept.version, True, bytes(kept.body)) for kept in self.snapshots]


def read(path: Path) -> Legacy:
    """Return what a release left behind."""
    return msgspec.json.decode(path.read_bytes(), type=Legacy)


def make(name: str) -> Legacy:
    """Return a long history of a room of this game, as this release writes it."""
    numbers = (CHOSEN[name],) if name in CHOSEN else range(60)
    run = max((_run(name, number) for number in numbers), key=_worth)
    entries, rooms = journal(run), run.rooms
    run_steps = [run_step.result for run_step in run.run_steps if isinstance(run_step.result, Advanced)]
    chosen = [*rooms[:: max(1, len(rooms) // 5)], rooms[-1]]
    return Legacy(
        release=__version__,
        game=name,
        records=tuple(StoredEntry(entry.version, entry.at, Raw(entry.body)) for entry in entries),
        snapshots=tuple(StoredEntry(room.version, room.at, Raw(encode(room))) for room in chosen),
        events=tuple(Raw(encode(run_step.events)) for run_step in run_steps),
    )


def write(folder: Path = FOLDER) -> list[Path]:
    """Write what this release leaves behind, one file for each game; earlier releases stay."""
    paths = []
    for name in SUBJECTS:
        path = folder / f"{name}-{__version__}.json".replace(" ", "-")
        path.write_bytes(msgspec.json.format(encode(make(name)), indent=1) + b"\n")
        paths.append(path)
    return paths


def _run(name: str, number: int) -> Run:
    plan = ClockPlan(main=(120_000, 90_000), increment=1_500, move=60_000, first_free=True)
    subject = SUBJECTS[name]
    opening = Opening(number, plan, 30, bytes(range(number, number + 32)))
    return live(subject, opening, subject.game.rules.seats, throw(number, 90))


def _worth(run: Run) -> tuple[int, int]:
    """Prefer a run with many kinds of commands and events."""
    rooms: list[AnyRoom] = run.rooms
    run_steps = [run_step for run_step in run.run_steps if isinstance(run_step.result, Advanced)]
    kinds: set[Any] = {type(run_step.command) for run_step in run_steps}
    for run_step in run_steps:
        assert isinstance(run_step.result, Advanced)
        kinds |= {type(addressed.event) for addressed in run_step.result.events}
    kinds |= {room.phase for room in rooms if room.phase is not Phase.CLOSED}
    return len(kinds), len(rooms)


if __name__ == "__main__":
    for written in write():
        sys.stdout.write(f"{written}\n")
