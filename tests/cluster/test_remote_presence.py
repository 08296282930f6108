"""Spectators of another worker are updated in slices, players at once; of each only the last state counts."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from qipai.games.game_registry import GAMES
from qipai.hall.cluster.remote_presence import SLICE, RemotePresence
from qipai.hall.cluster.replication_interface import ClusterListeners
from qipai.hall.cluster.worker_messages import COUNT_INTERVAL, WorkerMessages
from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.rooms.live_room import LiveRoom, RemoteMember
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from tests.support.hall_simulation import EPOCH, VirtualLoop
from tests.support.scripted_bus import ScriptedWorker, SharedStore, milliseconds

ROOM = RoomId("room")
GAME = GAMES["tictactoe"]
PER_SLICE = 10


def member(name: str, viewer: Seat = SPECTATOR) -> bytes:
    return msgspec.json.encode(RemoteMember(viewer, "", name))


class Scene:
    """A room of a worker, and the remote presence in it; so many announcements fit into a slice."""

    def __init__(self) -> None:
        self.worker = ScriptedWorker(SharedStore(), "here", milliseconds(asyncio.get_running_loop(), EPOCH))
        options = GAME.read_chosen_options(None)
        self.live: LiveRoom = self.worker.executor.open(GAME, ROOM, options, TableRules(), Millis(EPOCH))
        self.listeners = ClusterListeners()
        self.changes: list[int] = []
        """The number of spectators whenever the room changed."""
        self.listeners.members.append(lambda live: self.changes.append(live.spectators))
        self._seconds = 0.0
        self.presence = RemotePresence(
            self.worker.executor, self.worker.bus, {ROOM: self.live}, self.listeners, self._clock
        )

    def _clock(self) -> float:
        self._seconds += SLICE / (PER_SLICE - 0.5)
        return self._seconds

    def announce(self, number: int, raw: bytes) -> None:
        self.presence.member_announced(ROOM, f"there/{number}", raw)


def run(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
    loop = VirtualLoop()
    try:
        loop.run_until_complete(scenario())
    finally:
        loop.close()


def test_a_crowd_of_another_worker_joins_and_leaves_in_slices() -> None:
    async def scenario() -> None:
        scene = Scene()
        for raw, counts in ((member("S"), [0, 10, 20, 25]), (b"", [25, 15, 5, 0])):
            for number in range(25):
                scene.announce(number, raw)
            seen = []
            for _ in range(4):
                seen.append(scene.live.spectators)
                await asyncio.sleep(0)
            assert seen == counts
        assert scene.changes == [10, 20, 25, 15, 5, 0], "once in each slice"

    run(scenario)


def test_a_player_of_another_worker_does_not_wait_for_the_crowd() -> None:
    async def scenario() -> None:
        scene = Scene()
        for number in range(25):
            scene.announce(number, member("S"))
        scene.announce(99, member("P", Seat(1)))
        assert scene.live.held(Seat(1))
        scene.announce(99, b"")
        assert not scene.live.held(Seat(1))

    run(scenario)


def test_a_spectator_who_takes_a_seat_while_its_arrival_waits_keeps_the_seat() -> None:
    async def scenario() -> None:
        scene = Scene()
        scene.announce(1, member("A"))
        scene.announce(1, member("A", Seat(0)))
        await asyncio.sleep(0)
        assert (scene.live.held(Seat(0)), scene.live.spectators) == (True, 0)
        scene.announce(1, member("A"))
        await asyncio.sleep(0)
        assert (scene.live.held(Seat(0)), scene.live.spectators) == (False, 1)

    run(scenario)


def test_spectators_of_a_dead_worker_do_not_arrive_later() -> None:
    async def scenario() -> None:
        scene = Scene()
        scene.presence.keep_workers(frozenset({"here", "there"}))
        for number in range(25):
            scene.announce(number, member("S"))
        await asyncio.sleep(0)
        scene.presence.keep_workers(frozenset({"here"}))
        for _ in range(3):
            await asyncio.sleep(0)
        assert scene.live.spectators == 0

    run(scenario)


def test_a_room_that_is_read_with_its_crowd_changes_once() -> None:
    async def scenario() -> None:
        scene = Scene()
        crowd = {f"there/{number}": member("S") for number in range(500)}
        scene.presence.replace_all(scene.live, crowd | {"there/p": member("P", Seat(0))})
        assert scene.changes == [500]
        scene.presence.replace_all(scene.live, {})
        assert scene.changes == [500, 0]

    run(scenario)


def test_many_arrivals_are_one_spectator_count_for_other_workers() -> None:
    class Silent:
        def worker_message(self, body: bytes) -> None: ...

        def workers_changed(self, workers: frozenset[str]) -> None: ...

    async def scenario() -> None:
        scene = Scene()
        sent: list[bytes] = []
        scene.worker.bus.broadcast = sent.append  # type: ignore[method-assign,assignment] # records what is sent
        room_list = RoomListFeed(scene.worker.executor, lambda: 0)
        WorkerMessages(scene.worker.bus, scene.worker.executor, room_list, Silent())
        for counts in (1, 0):
            for _ in range(30):
                if counts:
                    scene.live.members[scene.worker.connect()[0]] = SPECTATOR
                else:
                    scene.live.members.popitem()
                room_list.row_changed(scene.live)
            assert sent == []
            await asyncio.sleep(2 * COUNT_INTERVAL)
            assert [msgspec.json.decode(each) for each in sent] == [["crowd", "here", ROOM, 30 * counts]]
            sent.clear()

    run(scenario)


def test_announcements_older_than_the_list_that_was_read_do_not_arrive_later() -> None:
    async def scenario() -> None:
        scene = Scene()
        for number in range(25):
            scene.announce(number, member("S"))
        scene.presence.replace_all(scene.live, {"there/3": member("S")})
        for _ in range(5):
            await asyncio.sleep(0)
        assert scene.live.spectators == 1

    run(scenario)
