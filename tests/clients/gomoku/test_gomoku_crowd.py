"""A crowd of gomoku clients at one table: names up to a limit, one list for many arrivals, shared frames."""

from qipai.clients.spectator_names import LISTED
from qipai.hall.rooms.fan_out import CROWD
from tests.clients.gomoku.gomoku_clients import match, names, player, room_of, without_lobby
from tests.support.hall_simulation import HallSimulation, SocketIOClient


def drain(simulation: HallSimulation) -> None:
    while simulation.hall.executor.fan_out.waiting:
        simulation.settle()


def watchers(simulation: HallSimulation, room: str, count: int, first: int = 0) -> list[SocketIOClient]:
    crowd = [simulation.socketio_client(login=False) for _ in range(count)]
    for number, one in enumerate(crowd, first):
        one.send("join-lobby", {"nickname": f"W{number}"})
        one.send("join-room", {"roomId": room, "asWatcher": True})
    simulation.wait(1)
    drain(simulation)
    return crowd


def test_a_spectator_of_a_small_table_is_announced_at_once(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    eve = player(simulation, "Eve")
    eve.ask("join-room", {"roomId": room, "asWatcher": True})
    received = without_lobby(ann.received())
    assert names(received) == ["player-joined", "room-updated"]
    assert room_of(received)["watchers"] == [{"nickname": "Eve"}]


def test_a_crowd_is_listed_up_to_a_limit_and_many_arrivals_cost_one_list(
    simulation: HallSimulation,
) -> None:
    ann, _, room = match(simulation)
    watchers(simulation, room, LISTED)
    received = ann.received()
    assert names(received).count("player-joined") == LISTED
    assert len(room_of(received)["watchers"]) == LISTED
    more = watchers(simulation, room, 40, LISTED)
    received = ann.received()
    assert "player-joined" not in names(received)
    assert names(received).count("room-updated") <= 1
    assert len(room_of(more[-1].received())["watchers"]) == LISTED


def test_when_a_crowd_leaves_the_list_is_sent_a_few_times(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    crowd = watchers(simulation, room, LISTED + 40)
    ann.received()
    for one in crowd[:40]:
        one.send("leave-room", {"roomId": room})
    simulation.wait(1)
    drain(simulation)
    received = ann.received()
    assert names(received).count("room-updated") <= 3
    assert [each["nickname"] for each in room_of(received)["watchers"]] == [
        f"W{number}" for number in range(40, 40 + LISTED)
    ]


def test_all_watchers_of_a_crowd_share_one_encoded_room(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    crowd = watchers(simulation, room, CROWD + 8)
    simulation.wait(1)
    drain(simulation)
    for one in (*crowd, ann, bob):
        one.received()
    ann.send("place-stone", {"roomId": room, "x": 7, "y": 7})
    simulation.settle()
    drain(simulation)
    frames = {tuple(map(id, one.transport.frames[one.read_count :])) for one in crowd}
    assert len(frames) == 1, "the same objects for all"
    assert names(crowd[0].received()) == ["stone-placed", "room-updated"]


def test_a_crowd_sees_every_stone_in_order_while_it_grows(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    crowd = watchers(simulation, room, CROWD + 8)
    for one in crowd:
        one.received()
    for number in range(6):
        (ann, bob)[number % 2].send("place-stone", {"roomId": room, "x": number, "y": 2 * number})
        if number == 3:
            late = simulation.socketio_client(login=False)
            late.send("join-lobby", {"nickname": "Late"})
            late.send("join-room", {"roomId": room, "asWatcher": True})
        simulation.settle()
    drain(simulation)
    for one in crowd:
        received = one.received()
        stones = [each[1]["x"] for each in received if each[0] == "stone-placed"]
        assert stones == list(range(6))
        lengths = [len(each[1]["history"]) for each in received if each[0] == "room-updated"]
        assert lengths == sorted(lengths)
        assert lengths[-1] == 6
