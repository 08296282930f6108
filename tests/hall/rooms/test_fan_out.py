"""A crowd of spectators: players first, one encoding for all, one order for each, and a limit to its chat."""

import asyncio
import itertools
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from qipai.hall.connections import sliced_sending
from qipai.hall.connections.sliced_sending import SlicedSending
from qipai.hall.people.person_quota import CHAT_LINES, CROWD_LINES, CROWD_WINDOW
from qipai.hall.rooms import fan_out
from qipai.hall.rooms.fan_out import CROWD
from qipai.kernel.ids import RoomId
from qipai.protocol.dialect_interface import AnyNotice
from qipai.protocol.native_codec import Native
from tests.support.hall_simulation import HallSimulation, Message, NativeClient, mark


@pytest.fixture
def one_frame_slices() -> Iterator[None]:
    """Let every slice end after its first frame."""
    with patch.multiple(sliced_sending, SLICE=0.0, FRAMES_PER_LOOK=1):
        yield


class Noting(list[bytes]):
    """The frames of one transport; notes in a common list which transport sent."""

    def __init__(self, order: list[int], number: int) -> None:
        super().__init__()
        self._order = order
        self._number = number

    def append(self, frame: bytes) -> None:
        self._order.append(self._number)


def crowd_at(simulation: HallSimulation, room: str, count: int = CROWD + 8) -> list[NativeClient]:
    crowd = [simulation.native_client(f"Eve {number}") for number in range(count)]
    for one in crowd:
        one.ask("watch", room=room)
    simulation.wait(1)
    drain(simulation)
    for one in crowd:
        one.received()
    return crowd


def drain(simulation: HallSimulation) -> None:
    """Run the event loop until nothing is deferred."""
    while simulation.hall.executor.fan_out.waiting:
        simulation.settle()


def versions(notices: list[Message]) -> list[int]:
    return [notice["version"] for notice in notices if notice["type"] == "events"]


def mover(ann: NativeClient, bob: NativeClient, shown: Message) -> tuple[NativeClient, NativeClient]:
    """Return the player who is to move first, and the other."""
    return (bob, ann) if shown["you"] in shown["room"]["to_act"] else (ann, bob)


def test_players_receive_a_step_before_any_spectator_of_a_crowd(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room)
    first, second = mover(ann, bob, shown)
    for player in (first, second):
        player.received()
    order: list[int] = []
    for number, client in enumerate([*crowd, first, second]):
        client.transport.frames = Noting(order, number)
    first.send("play", **mark(room, 4))
    simulation.settle()
    drain(simulation)
    assert sorted(order[:2]) == [len(crowd), len(crowd) + 1]
    assert order[2:] == list(range(len(crowd)))


@pytest.mark.usefixtures("one_frame_slices")
def test_the_event_loop_turns_between_two_slices(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    crowd = crowd_at(simulation, shown["room"]["id"])
    ann.send("say", room=shown["room"]["id"], text="hello")

    async def received_per_turn() -> list[int]:
        counts = []
        for _ in range(len(crowd) + 6):
            await asyncio.sleep(0)
            counts.append(sum(len(one.transport.frames) - one.read_count for one in crowd))
        return counts

    counts = simulation.run(received_per_turn())
    assert counts[-1] == len(crowd)
    assert max(later - earlier for earlier, later in itertools.pairwise(counts)) == 1


@pytest.mark.usefixtures("one_frame_slices")
def test_no_spectator_sees_a_version_before_the_one_before(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room)
    start = shown["version"]
    players = mover(ann, bob, shown)
    for cell in range(4):
        players[cell % 2].send("play", **mark(room, cell))
    ann.send("say", room=room, text="hello")
    simulation.run(asyncio.sleep(0))
    simulation.run(asyncio.sleep(0))
    assert simulation.hall.executor.fan_out.waiting
    # In between: one resumes what it has, one leaves and watches again, one asks for nothing.
    crowd[0].send("resume", room=room, version=start)
    crowd[1].send("leave", room=room)
    crowd[1].send("watch", room=room)
    crowd[2].send("ping", n=7)
    simulation.settle()
    drain(simulation)
    for one in crowd:
        seen = start
        for notice in one.received():
            if notice["type"] == "room":
                assert notice["version"] >= seen
                seen = notice["version"]
            elif notice["type"] == "events":
                assert notice["version"] <= seen + 1, "a version is missing"
                seen = max(seen, notice["version"])
        assert seen == start + 5


def test_a_notice_is_encoded_once_for_all_spectators_and_once_for_each_seat_that_sees_more(
    simulation: HallSimulation,
) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room)
    encoded: list[AnyNotice] = []
    encode = Native.encode

    def counted(self: Native, notice: AnyNotice) -> object:
        encoded.append(notice)
        return encode(self, notice)

    with patch.object(Native, "encode", counted):
        ann.send("say", room=room, text="for all")
        simulation.settle()
        drain(simulation)
        assert len(encoded) <= 2, "once for the players, once for the spectators"
        encoded.clear()
        crowd[0].send("say", room=room, text="for spectators")
        simulation.settle()
        drain(simulation)
        assert len(encoded) <= 3, "once for each seat, and once for the spectators"
        encoded.clear()
        live = simulation.hall.executor.live_rooms[RoomId(room)]
        simulation.loop.call_soon(simulation.hall.executor.replace_value, live, live.durable)
        simulation.settle()
        drain(simulation)
        assert len(encoded) <= 3
    for one in crowd:
        assert [notice["type"] for notice in one.received()] == ["events", "events", "room"]


def test_the_lobby_is_sent_in_slices_too(simulation: HallSimulation) -> None:
    crowd = [simulation.native_client(f"Eve {number}") for number in range(CROWD + 8)]
    for one in crowd:
        one.ask("lobby", on=True)
    simulation.wait(1)
    for one in crowd:
        one.received()
    simulation.running_room()
    with patch.object(SlicedSending, "send", autospec=True, side_effect=SlicedSending.send) as sent:
        simulation.wait(1)
        drain(simulation)
    assert sent.call_count >= len(crowd)
    for one in crowd:
        assert any(notice["type"] == "lobby" for notice in one.received())


# The limit of a table


def test_spectators_of_a_table_share_a_limit_of_lines(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room, CROWD_LINES + 1)
    for number, one in enumerate(crowd[:-1]):
        assert one.ask("say", room=room, text=f"line {number}", nonce="n")[-1]["type"] == "events"
    *_, refused = crowd[-1].ask("say", room=room, text="one too many", nonce="n")
    assert (refused["type"], refused["code"], refused["nonce"]) == ("refused", "rate_limited", "n")
    simulation.wait(CROWD_WINDOW / 1000)
    crowd[-1].received()
    assert crowd[-1].ask("say", room=room, text="later", nonce="n2")[-1]["type"] == "events"


def test_a_line_over_the_limit_of_the_table_does_not_count_for_its_author(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room, CROWD_LINES + 1)
    for one in crowd[:-1]:
        one.ask("say", room=room, text="line")
    last = crowd[-1]
    for _ in range(CHAT_LINES):
        assert last.ask("say", room=room, text="too many")[-1]["code"] == "rate_limited"
    simulation.wait(CROWD_WINDOW / 1000)
    last.received()
    assert last.ask("say", room=room, text="now")[-1]["type"] == "events"


def test_a_crowd_silences_neither_the_players_nor_another_table(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room, CROWD_LINES)
    for one in crowd:
        one.ask("say", room=room, text="line")
    ann.received()
    assert ann.ask("say", room=room, text="I may")[-1]["type"] == "events"
    other = crowd[0].ask("open", game="chess", nonce="o")[-1]["room"]["id"]
    cat = simulation.native_client("Cat")
    cat.ask("watch", room=other)
    assert cat.ask("say", room=other, text="hello")[-1]["type"] == "events"


def test_the_limit_of_a_table_is_shared_by_phrases(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room, CROWD_LINES + 1)
    for one in crowd[:-1]:
        assert one.ask("say", room=room, phrase="hello")[-1]["type"] == "events"
    assert crowd[-1].ask("say", room=room, phrase="hello")[-1]["code"] == "rate_limited"


# Delayed rooms


def test_a_delayed_full_room_is_built_once_for_all_spectators(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room(spectator_delay=30)
    room = shown["room"]["id"]
    crowd = crowd_at(simulation, room)
    live = simulation.hall.executor.live_rooms[RoomId(room)]
    ann.ask("say", room=room, text="hello")
    assert live.delay_buffer is not None
    live.delay_buffer.pending.clear()
    live.delay_buffer.add_full_room(live.durable)
    with patch.object(fan_out, "full_room", wraps=fan_out.full_room) as built:
        simulation.loop.call_soon(simulation.hall.executor.spectator_delay.release, live)
        simulation.wait(31)
        drain(simulation)
    assert built.call_count == 1
    for one in crowd:
        assert [notice["type"] for notice in one.received() if notice["type"] == "room"] == ["room"]
