"""Recovery offsets: what one says about the frames a client received, and what is rejected."""

import pytest

from qipai.clients.connection_recovery.offset_format import WHOLE, RecoveryOffset, read, tag
from qipai.clients.connection_recovery.offset_tracking import OffsetTracker
from qipai.kernel.ids import Millis, RoomId
from qipai.protocol.notices import Pong, RoomEvents


def test_a_mark_is_read_from_the_end_of_an_offset_as_it_was_written() -> None:
    mark = RecoveryOffset(tag(RoomId("abcdefghijkl")), 17, 2)
    assert mark.room == "abcdef"
    assert read("1f3a.0badc0de." + mark.text().decode()) == mark
    assert read(RecoveryOffset("abcdef", 3).text().decode()) == RecoveryOffset("abcdef", 3, WHOLE)


@pytest.mark.parametrize(
    "offset", ["", "1f3a", "1f3a.0badc0de.", "a.b.c", "a.1.", "a.-1.2", "a.1.²", "a.1234567890.1", "a.1.1234"]
)
def test_a_malformed_offset_is_ignored(offset: str) -> None:
    assert read(offset) is None


def events(version: int) -> RoomEvents:
    return RoomEvents(RoomId("abcdefghijkl"), version, Millis(0), (), ())


def offset(version: int, frames: int) -> bytes:
    return RecoveryOffset("abcdef", version, frames).text()


def test_a_deferred_frame_keeps_the_offset_of_its_own_notice() -> None:
    track = OffsetTracker()
    one, two, pong, three = b"stone", b"room", b"pong", b"line"
    track.expect(events(7), (one, two))
    track.expect(Pong(1, Millis(0)), (pong,))
    track.expect(events(8), (three,))
    assert [track.next(frame) for frame in (one, two, pong, three)] == [
        offset(7, 1),
        offset(7, 2),
        offset(7, 2),
        offset(8, 1),
    ]


def test_a_frame_of_another_seat_of_the_socket_takes_no_offset_from_a_deferred_one() -> None:
    track = OffsetTracker()
    track.expect(events(7), (b"seven",))
    assert track.next(b"".join([b"of a ", b"seat"])) == b""
    assert track.offset == b""
