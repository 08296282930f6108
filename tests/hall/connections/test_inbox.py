"""When a crowd sends at once, players come first, and the others are handled in slices."""

import asyncio
from collections.abc import Callable
from typing import Any

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.inbox import (
    CROWDED,
    MAX_POSTPONED,
    MAX_POSTPONED_BYTES,
    MAX_POSTPONED_EACH,
    MAX_POSTPONED_NATIVE,
    SLICE,
    Inbox,
)
from qipai.hall.connections.rate_limit import RateLimit
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat


class Sender:
    """A connection of which the inbox needs its rooms, and to which it passes frames."""

    def __init__(self, viewer: Seat, handled: list[tuple["Sender", bytes | None]], slows: bool) -> None:
        self.rooms = {RoomId("r"): viewer}
        self.rate_limit = RateLimit(slows=slows)
        self.transport = self.outbox = self
        self.closed_by_server = False
        self.reading = True
        self._handled = handled

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def too_many_waiting(self) -> None:
        self.closed_by_server = True

    def receive(self, frame: bytes | None, _now: Millis) -> None:
        self._handled.append((self, frame))


class Failing(Sender):
    """A connection whose frames cannot be handled."""

    def receive(self, frame: bytes | None, _now: Millis) -> None:
        raise RuntimeError


class Scene:
    """An inbox by whose clock this many frames fit into a slice."""

    def __init__(self, frames: int) -> None:
        self.handled: list[tuple[Sender, bytes | None]] = []
        self.written: list[int] = []
        self._step, self._seconds = SLICE / (frames - 0.5), 0.0
        tasks = BackgroundTasks(lambda _: None)
        self.inbox = Inbox(lambda: Millis(0), self._write, tasks, self._clock)

    def _clock(self) -> float:
        self._seconds += self._step
        return self._seconds

    def _write(self) -> None:
        self.written.append(len(self.handled))

    def sender(self, viewer: Seat, *, slows: bool = True) -> Any:
        return Sender(viewer, self.handled, slows)

    def arrive(self, connection: Connection, count: int) -> None:
        for number in range(count):
            self.inbox.arrived(connection, b"%d" % number)


def run(scenario: Callable[[], Any]) -> Any:
    async def main() -> Any:
        return await scenario()

    return asyncio.run(main())


def test_in_a_crowded_turn_players_come_first_and_are_written_first() -> None:
    async def scenario() -> None:
        scene = Scene(100)
        spectator, player = scene.sender(SPECTATOR), scene.sender(Seat(0))
        scene.arrive(spectator, CROWDED)
        scene.arrive(player, 2)
        await asyncio.sleep(0)
        assert scene.handled[:2] == [(player, b"0"), (player, b"1")]
        assert scene.written[0] == 2

    run(scenario)


def test_frames_behind_one_that_fails_are_handled_in_the_next_turn() -> None:
    async def scenario() -> None:
        scene = Scene(1)
        asyncio.get_running_loop().set_exception_handler(lambda _loop, _context: None)
        before, after = (scene.sender(Seat(0)) for _ in range(2))
        failing: Any = Failing(Seat(0), scene.handled, slows=True)
        for sender in (before, failing, after):
            scene.arrive(sender, 1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [sender for sender, _ in scene.handled] == [before, after]
        assert scene.written[-1] == 2

    run(scenario)


def test_a_turn_that_is_not_crowded_keeps_the_order_of_arrival() -> None:
    async def scenario() -> None:
        scene = Scene(1)
        spectator, player = scene.sender(SPECTATOR), scene.sender(Seat(0))
        scene.arrive(spectator, CROWDED - 2)
        scene.arrive(player, 2)
        await asyncio.sleep(0)
        assert [sender for sender, _ in scene.handled] == [spectator] * (CROWDED - 2) + [player] * 2

    run(scenario)


def test_a_move_that_comes_later_is_handled_before_the_rest_of_the_crowd() -> None:
    async def scenario() -> None:
        scene = Scene(10)
        crowd = [scene.sender(SPECTATOR) for _ in range(50)]
        for spectator in crowd:
            scene.arrive(spectator, 5)
        await asyncio.sleep(0)
        handled = len(scene.handled)
        assert 0 < handled <= 10
        player = scene.sender(Seat(0))
        scene.arrive(player, 1)
        await asyncio.sleep(0)
        assert scene.handled[handled] == (player, b"0")
        for _ in range(50):
            await asyncio.sleep(0)
        for spectator in crowd:
            assert [frame for sender, frame in scene.handled if sender is spectator] == [
                b"%d" % number for number in range(5)
            ]
        assert scene.inbox.frames == len(scene.handled) == 251

    run(scenario)


def test_the_largest_crowd_gets_no_more_than_a_slice_in_each_turn() -> None:
    async def scenario() -> None:
        scene = Scene(10)
        scene.arrive(scene.sender(SPECTATOR), 2 * MAX_POSTPONED)
        for turn in range(1, 5):
            await asyncio.sleep(0)
            assert len(scene.handled) <= 10 * turn

    run(scenario)


def test_players_whose_connections_end_together_do_not_delay_a_move() -> None:
    async def scenario() -> None:
        scene = Scene(10)
        leaving = [scene.sender(Seat(0)) for _ in range(3 * CROWDED)]
        for connection in leaving:
            scene.inbox.arrived(connection, None)
        player = scene.sender(Seat(1))
        scene.arrive(player, 1)
        await asyncio.sleep(0)
        assert scene.handled == [(player, b"0"), *((connection, None) for connection in leaving[:10])]
        assert scene.written[0] == 1
        for _ in leaving:
            await asyncio.sleep(0)
        assert scene.handled[1:] == [(connection, None) for connection in leaving]

    run(scenario)


def test_nothing_more_is_read_of_connections_beyond_the_limit_until_the_crowd_is_handled() -> None:
    async def scenario() -> None:
        scene = Scene(500)
        early, late, player = scene.sender(SPECTATOR), scene.sender(SPECTATOR), scene.sender(Seat(0))
        scene.arrive(early, MAX_POSTPONED)
        scene.arrive(late, 1)
        scene.arrive(player, 1)
        await asyncio.sleep(0)
        assert (early.reading, late.reading, player.reading) == (True, False, True)
        frames, half = MAX_POSTPONED + 2, MAX_POSTPONED // 2
        while not late.reading:
            assert frames - len(scene.handled) > half
            await asyncio.sleep(0)
        assert frames - len(scene.handled) <= half

    run(scenario)


def test_long_frames_reach_the_limit_before_there_are_many() -> None:
    async def scenario() -> None:
        scene = Scene(10)
        early, late = scene.sender(SPECTATOR), scene.sender(SPECTATOR)
        for _ in range(100):
            scene.inbox.arrived(early, bytes(MAX_POSTPONED_BYTES // 100))
        scene.arrive(late, 1)
        await asyncio.sleep(0)
        assert (early.reading, late.reading) == (True, False)
        while not late.reading:
            assert 101 - len(scene.handled) > 50
            await asyncio.sleep(0)
        assert 101 - len(scene.handled) <= 51

    run(scenario)


def test_beyond_the_limit_frames_of_an_older_client_are_dropped_but_not_its_end() -> None:
    async def scenario() -> None:
        scene = Scene(500)
        older = scene.sender(SPECTATOR, slows=False)
        scene.arrive(scene.sender(SPECTATOR), MAX_POSTPONED)
        scene.arrive(older, MAX_POSTPONED_EACH + 10)
        scene.inbox.arrived(older, None)
        for _ in range(20):
            await asyncio.sleep(0)
        frames = [frame for sender, frame in scene.handled if sender is older]
        assert frames == [*(b"%d" % number for number in range(MAX_POSTPONED_EACH)), None]

    run(scenario)


def test_beyond_the_limit_a_native_client_that_sends_on_is_closed_and_its_frames_dropped() -> None:
    async def scenario() -> None:
        scene = Scene(5_000)
        modest, native = scene.sender(SPECTATOR), scene.sender(SPECTATOR)
        scene.arrive(scene.sender(SPECTATOR), MAX_POSTPONED)
        scene.arrive(modest, MAX_POSTPONED_NATIVE)
        scene.arrive(native, MAX_POSTPONED_NATIVE + 10)
        scene.inbox.arrived(native, None)
        await asyncio.sleep(0)
        assert (modest.closed_by_server, native.closed_by_server) == (False, True)
        frames = [frame for sender, frame in scene.handled if sender is native]
        while None not in frames:
            await asyncio.sleep(0)
            frames = [frame for sender, frame in scene.handled if sender is native]
        assert len(frames) == MAX_POSTPONED_NATIVE + 1

    run(scenario)


def test_in_a_crowded_turn_frames_of_a_closed_connection_are_dropped_but_not_its_end() -> None:
    async def scenario() -> None:
        scene = Scene(1_000)
        closed = scene.sender(SPECTATOR)
        closed.closed_by_server = True
        scene.arrive(closed, CROWDED + 1)
        scene.inbox.arrived(closed, None)
        await asyncio.sleep(0)
        assert scene.handled == [(closed, None)]

    run(scenario)


def test_a_spectator_who_takes_a_seat_has_its_earlier_frames_handled_first() -> None:
    async def scenario() -> None:
        scene = Scene(10)
        spectator = scene.sender(SPECTATOR)
        scene.arrive(scene.sender(SPECTATOR), CROWDED)
        scene.arrive(spectator, 2)
        await asyncio.sleep(0)
        spectator.rooms[RoomId("r")] = Seat(0)
        scene.inbox.arrived(spectator, b"2")
        for _ in range(CROWDED):
            await asyncio.sleep(0)
        assert [frame for sender, frame in scene.handled if sender is spectator] == [b"0", b"1", b"2"]

    run(scenario)


def test_a_failure_of_one_connection_keeps_the_frames_of_all_others() -> None:
    async def scenario() -> None:
        scene = Scene(1_000)
        broken: Any = scene.sender(SPECTATOR)
        failures = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))

        def fail(_frame: bytes | None, _now: Millis) -> None:
            raise RuntimeError("out of order")

        broken.receive = fail
        spectator = scene.sender(SPECTATOR)
        scene.arrive(broken, 1)
        scene.arrive(spectator, CROWDED)
        for _ in range(3):
            await asyncio.sleep(0)
        assert len(scene.handled) == CROWDED
        assert len(failures) == 1

    run(scenario)
