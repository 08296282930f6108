"""When a crowd sends at once, players come first, and the others are handled in slices."""

import asyncio
from collections.abc import Callable
from typing import Any

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.inbox import CROWDED, MAX_POSTPONED, SLICE, Inbox
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat


class Sender:
    """A connection of which the inbox needs its rooms, and to which it passes frames."""

    def __init__(self, viewer: Seat, handled: list[tuple["Sender", bytes | None]]) -> None:
        self.rooms = {RoomId("r"): viewer}
        self._handled = handled

    def receive(self, frame: bytes | None, _now: Millis) -> None:
        self._handled.append((self, frame))


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

    def sender(self, viewer: Seat) -> Any:
        return Sender(viewer, self.handled)

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


def test_no_more_than_a_bounded_number_of_frames_waits_for_a_later_turn() -> None:
    async def scenario() -> None:
        scene = Scene(1)
        scene.arrive(scene.sender(SPECTATOR), MAX_POSTPONED + 100)
        await asyncio.sleep(0)
        assert len(scene.handled) == 100

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
