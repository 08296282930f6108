"""Frames for a crowd are sent in slices, in the order of each connection, and never without a limit."""

import asyncio
from collections.abc import Callable

import pytest

from qipai.hall.connections import sliced_sending
from qipai.hall.connections.outbox import MAX_DEFERRED, MAX_UNSENT, Outbox
from qipai.hall.connections.sliced_sending import SLICE, SlicedSending
from tests.support.hall_simulation import RecordingTransport


@pytest.fixture(autouse=True)
def look_after_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliced_sending, "FRAMES_PER_LOOK", 1)


class NumberedTransport(RecordingTransport):
    """A transport that records its frames in a list of all transports."""

    def __init__(self, number: int, sent: list[tuple[int, bytes]]) -> None:
        super().__init__()
        self._number = number
        self._sent = sent

    def send(self, frame: bytes) -> None:
        self._sent.append((self._number, frame))


class Crowd:
    """Outboxes that record in one list which of them sent which frame."""

    def __init__(self, count: int) -> None:
        self.sent: list[tuple[int, bytes]] = []
        self.transports = [NumberedTransport(number, self.sent) for number in range(count)]
        self.outboxes = [Outbox(transport) for transport in self.transports]


def clock_that_allows(frames: int) -> Callable[[], float]:
    """Return a clock by which this many frames fit into a slice."""
    seconds = 0.0

    def clock() -> float:
        nonlocal seconds
        seconds += SLICE / (frames - 0.5)
        return seconds

    return clock


def test_a_slice_ends_after_its_time_and_the_loop_turns_before_the_next() -> None:
    async def scenario() -> list[int]:
        crowd, sending = Crowd(25), SlicedSending(clock_that_allows(10))
        for outbox in crowd.outboxes:
            sending.send(outbox, (b"line",))
        sent_after_turn = []
        for _ in range(4):
            sent_after_turn.append(len(crowd.sent))
            await asyncio.sleep(0)
        assert sending.waiting == 0
        return sent_after_turn

    assert asyncio.run(scenario()) == [0, 10, 20, 25]


def test_connections_receive_one_frame_in_turn() -> None:
    async def scenario() -> list[tuple[int, bytes]]:
        crowd, sending = Crowd(3), SlicedSending()
        for outbox in crowd.outboxes:
            sending.send(outbox, (b"stone", b"room"))
        await asyncio.sleep(0)
        return crowd.sent

    assert asyncio.run(scenario()) == [
        *((number, b"stone") for number in range(3)),
        *((number, b"room") for number in range(3)),
    ]


def test_what_is_sent_directly_waits_for_what_was_deferred() -> None:
    async def scenario() -> list[bytes]:
        crowd, sending = Crowd(1), SlicedSending(clock_that_allows(1))
        (outbox,) = crowd.outboxes
        outbox.send(b"1")
        sending.send(outbox, (b"2", b"3"))
        outbox.send(b"4")
        sending.send(outbox, (b"5",))
        await asyncio.sleep(0)
        outbox.send(b"6")
        for _ in range(5):
            await asyncio.sleep(0)
        outbox.send(b"7")
        return [frame for _, frame in crowd.sent]

    assert asyncio.run(scenario()) == [b"1", b"2", b"3", b"4", b"5", b"6", b"7"]


def test_a_closed_connection_receives_nothing_more() -> None:
    async def scenario() -> Crowd:
        crowd, sending = Crowd(2), SlicedSending()
        for outbox in crowd.outboxes:
            sending.send(outbox, (b"line",))
        crowd.outboxes[0].close(1000, "")
        sending.send(crowd.outboxes[0], (b"late",))
        await asyncio.sleep(0)
        return crowd

    assert asyncio.run(scenario()).sent == [(1, b"line")]


def test_a_connection_with_too_many_deferred_frames_is_dropped() -> None:
    crowd = Crowd(1)
    (outbox,) = crowd.outboxes
    assert outbox.defer([b"x"] * MAX_DEFERRED)
    assert not crowd.transports[0].aborted
    assert not outbox.defer([b"x"])
    assert crowd.transports[0].aborted
    assert not outbox.send_deferred()
    assert crowd.sent == []


@pytest.mark.parametrize("deferred", [False, True])
def test_unsent_bytes_of_a_client_that_does_not_read_are_limited(deferred: bool) -> None:
    crowd = Crowd(1)
    (outbox,) = crowd.outboxes
    frames = [bytes(MAX_UNSENT // 4)] * 5
    if deferred:
        outbox.defer(frames)
    outbox.pause()
    for frame in frames:
        if deferred:
            outbox.send_deferred()
        else:
            outbox.send(frame)
    assert (len(crowd.sent), crowd.transports[0].aborted) == (4, True)


def test_a_client_that_reads_again_is_sent_to_directly_once_nothing_is_deferred() -> None:
    crowd = Crowd(1)
    (outbox,) = crowd.outboxes
    outbox.defer([b"1", b"2"])
    outbox.pause()
    outbox.resume()
    outbox.send(b"3")
    while outbox.send_deferred():
        pass
    assert outbox.send == crowd.transports[0].send
    assert [frame for _, frame in crowd.sent] == [b"1", b"2", b"3"]


def test_a_connection_whose_transport_fails_is_aborted_and_the_others_receive_their_frames() -> None:
    class Failing(RecordingTransport):
        def send(self, frame: bytes) -> None:
            raise OSError(frame)

    async def scenario() -> tuple[bool, list[tuple[int, bytes]], list[str]]:
        errors: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(str(context)))
        crowd, sending = Crowd(3), SlicedSending()
        failing = Outbox(Failing())
        for outbox in (crowd.outboxes[0], failing, *crowd.outboxes[1:]):
            sending.send(outbox, (b"one", b"two"))
        for _ in range(10):
            await asyncio.sleep(0)
        return failing.closed, sorted(crowd.sent), errors

    closed, sent, errors = asyncio.run(scenario())
    assert closed
    assert sent == [(number, frame) for number in range(3) for frame in (b"one", b"two")]
    assert len(errors) == 1
