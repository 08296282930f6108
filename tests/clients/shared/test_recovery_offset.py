"""Recovery offsets: what one says about the frames a client received, and what is rejected."""

import pytest

from qipai.clients.connection_recovery.offset_format import WHOLE, RecoveryOffset, read, tag
from qipai.kernel.ids import RoomId


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
