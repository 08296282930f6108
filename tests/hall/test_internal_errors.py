"""An error that affects all rooms at the same time is logged once and counted every time."""

import pytest
from structlog.testing import capture_logs

from qipai.hall import internal_errors
from qipai.hall.internal_errors import MAX_REMEMBERED, REPEAT_SECONDS, InternalErrors
from qipai.hall.journal.record_conversion import command_of, decode_record
from qipai.hall.journal.record_format import OpenRoomRecord
from qipai.hall.journal.snapshot_format import read_room
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.commands import Play
from qipai.kernel.ids import Millis
from tests.support.journal_writer import JournalWriter


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(internal_errors, "monotonic", lambda: now[0])
    return now


def test_the_same_error_is_logged_once_per_interval_with_the_number_suppressed(clock: list[float]) -> None:
    made = InternalErrors()
    with capture_logs() as lines:
        for _ in range(500):
            made.store_unavailable(StoreError("out of reach"))
        clock[0] += REPEAT_SECONDS
        made.store_unavailable(StoreError("out of reach"))
    assert [line.get("suppressed") for line in lines] == [None, 499]
    assert made.count == 501


def test_another_error_is_logged_at_once_and_the_number_remembered_is_limited(clock: list[float]) -> None:
    made = InternalErrors()
    with capture_logs() as lines:
        for number in range(MAX_REMEMBERED + 1):
            made.store_unavailable(StoreError(f"room {number} is torn"))
        made.store_unavailable(StoreError("room 0 is torn"))
        made.store_unavailable(StoreError(f"room {MAX_REMEMBERED} is torn"))
    assert len(lines) == MAX_REMEMBERED + 2


def test_a_failed_command_is_logged_as_a_record_and_a_snapshot_that_reproduce_it() -> None:
    writer = JournalWriter("tictactoe")
    writer.take_seats("Ada", "Bo")
    game, seat = writer.game, writer.acting
    command, entropy = Play(game.rules.legal(writer.room.state, seat)[0]), bytes(range(32))
    with capture_logs() as lines:
        InternalErrors().command_failed(
            ValueError("broken"), game, writer.room, seat, command, Millis(5), entropy
        )
    (line,) = lines
    record = decode_record(line["record"].encode())
    assert not isinstance(record, OpenRoomRecord)
    assert (command_of(game, record), record.actor, record.entropy) == (command, seat, entropy)
    assert read_room(game, line["snapshot"].encode()) == writer.room
    assert (line["room"], line["version"], line["at"]) == (writer.room.id, writer.room.version, 5)
