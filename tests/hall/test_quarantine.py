"""The rooms that are set aside are those that are not served now: by reason, and not longer than it holds."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from qipai.games.game_registry import GAMES
from qipai.hall.history.archiver import HOLD_PAUSE, Archiver
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Damaged, Entry, Snapshot
from qipai.kernel.commands import Close, Resign
from qipai.kernel.ids import SYSTEM, Millis, RoomId, Seat
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import HallSimulation
from tests.support.journal_writer import NOON, JournalWriter
from tests.support.scripted_bus import ScriptedWorker, SharedStore

A, B = RoomId("a"), RoomId("b")


def counts(errors: InternalErrors) -> tuple[int, int]:
    """Return how many rooms are damaged, and how many cannot be read."""
    damaged = errors.damaged_rooms()
    return damaged, len(errors.quarantined) - damaged


def test_a_room_is_counted_by_its_reason_until_it_can_be_read_again() -> None:
    errors = InternalErrors()
    with capture_logs() as lines:
        for _ in range(3):
            errors.room_quarantined(A, Damaged("its snapshot is damaged"))
            errors.room_quarantined(B, JournalError("written by a newer release"))
    assert [(line["room"], line["reason"]) for line in lines] == [
        (A, "its snapshot is damaged"),
        (B, "written by a newer release"),
    ]
    assert counts(errors) == (1, 1)
    errors.room_readable(B)
    assert counts(errors) == (1, 0)
    errors.room_quarantined(A, JournalError("no game like this"))
    assert counts(errors) == (0, 1)
    errors.room_readable(A)
    errors.room_readable(A)
    assert counts(errors) == (0, 0)


class DamagedStore(MemoryStore):
    """A store whose closed rooms are damaged for a time."""

    damaged = True

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        if self.damaged:
            raise Damaged(f"{room}: group 1 is damaged")
        return super().history(room, after)


def closed_room(store: MemoryStore) -> RoomId:
    table = JournalWriter("tictactoe")
    table.take_seats("Ada", "Bo")
    table.do(Seat(0), Resign())
    table.do(SYSTEM, Close())
    room = table.room
    store.append(table.entries, [Snapshot(room.id, room.version, False, encode_snapshot(room, 1))])
    return room.id


@pytest.mark.parametrize("archived_elsewhere", [False, True])
def test_a_closed_room_is_set_aside_until_it_is_archived(tmp_path: Path, *, archived_elsewhere: bool) -> None:
    store, now = DamagedStore(), [Millis(NOON)]
    room = closed_room(store)
    with HallSimulation(MemoryStore()) as simulation:
        hall, errors = simulation.hall, InternalErrors()
        archive = open_archive(tmp_path, "")
        archiver = Archiver(GAMES, store, archive, hall.alarms, hall.tasks, errors, lambda: now[0])
        archiver.run_round()
        archiver.run_round()
        assert counts(errors) == (1, 0)
        if archived_elsewhere:
            store.mark_archived(room)
        else:
            store.damaged = False
            archiver.run_round()
            assert counts(errors) == (1, 0), "it is tried again after a pause"
            now[0] = Millis(now[0] + HOLD_PAUSE + 1)
        archiver.run_round()
        assert counts(errors) == (0, 0)
        archiver.close()


def snapshot(table: JournalWriter, *, live: bool, newer: bool) -> Snapshot:
    room = table.room
    body = encode_snapshot(room, 1)
    return Snapshot(room.id, room.version, live, b'{"format":99}' if newer else body, room.code)


def test_a_room_that_another_worker_writes_is_set_aside_while_it_cannot_be_read() -> None:
    async def write() -> None:
        table = JournalWriter("tictactoe")
        worker = ScriptedWorker(SharedStore(), "one", lambda: Millis(NOON))
        for live, newer, expected in (
            (True, True, (0, 1)),
            (True, True, (0, 1)),
            (True, False, (0, 0)),
            (True, True, (0, 1)),
            (False, True, (0, 0)),
        ):
            worker.replicas.snapshot_written(snapshot(table, live=live, newer=newer))
            assert counts(worker.errors) == expected
            worker.executor.live_rooms.clear()  # So that the next snapshot is news.

    with capture_logs():
        asyncio.run(write())
