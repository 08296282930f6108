"""One place for each gomoku client: the one asked for last, however quickly it was asked for."""

from collections.abc import Iterator

import pytest

from qipai.kernel.ids import SPECTATOR
from tests.clients.gomoku.gomoku_room import error, match, names, opened, place, player, quiet, room_of
from tests.support.faulty import Faulty
from tests.support.stage import Caller, Stage

COMING = ("sit A", "watch A", "sit B", "watch B", "create", "quick")


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def come(caller: Caller, way: str, rooms: dict[str, str]) -> None:
    """Ask to come into a room, in one of all ways, and do not wait."""
    how, *which = way.split()
    if which:
        caller.send("join-room", {"roomId": rooms[which[0]], "asWatcher": how == "watch"})
    else:
        caller.send("create-room" if how == "create" else "quick-match", {})


def whereabouts(stage: Stage, caller: Caller) -> tuple[str, str, str]:
    """Return the name of the one room somebody is in, his role as the hall has it and as he was told it."""
    assert caller.connection.person is not None
    ((room, viewer),) = caller.connection.rooms.items()
    box = stage.hall.executor.live_rooms[room]
    assert box.members[caller.connection] == viewer
    assert stage.hall.executor.seat_index.get(caller.connection.person, set()) == (
        set() if viewer == SPECTATOR else {room}
    )
    told = room_of(caller.heard())
    assert told["id"] == box.durable.code
    return told["name"], "watcher" if viewer == SPECTATOR else "player", told["myRole"]


@pytest.mark.parametrize("second", COMING)
@pytest.mark.parametrize("first", COMING)
def test_two_joins_sent_together_are_handled_one_by_one(first: str, second: str) -> None:
    ends = []
    for patient in (True, False):
        with Stage() as stage:
            rooms = {name: opened(player(stage, name), name=name) for name in ("A", "B")}
            eve = player(stage, "Eve")
            come(eve, first, rooms)
            if patient:
                stage.settle()
            come(eve, second, rooms)
            stage.settle()
            ends.append(whereabouts(stage, eve))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("seat", [True, False])
def test_the_last_requested_room_is_entered_under_load(stage: Stage, seat: bool) -> None:
    ann, bob, eve = (player(stage, name) for name in ("Ann", "Bob", "Eve"))
    room, other = opened(ann, name="A"), opened(bob, name="B")
    bob.send("chat-message", {"roomId": other, "message": "hi"})
    eve.send("quick-match")
    eve.send("join-room", {"roomId": other, "asWatcher": not seat})
    stage.settle()
    assert whereabouts(stage, eve)[:2] == ("B", "player" if seat else "watcher")
    assert room_of(ann.heard())["players"]["white"] is None
    assert room_of(ann.ask("join-room", {"roomId": room}))["myRole"] == "black"


def test_a_join_and_a_watch_sent_together_are_answered_in_order(stage: Stage) -> None:
    ann, bob, eve = (player(stage, name) for name in ("Ann", "Bob", "Eve"))
    first, second = opened(ann), opened(bob)
    eve.send("join-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": True})
    heard = [each for each in quiet(eve.heard()) if each[0] in {"room-joined", "error"}]
    assert [(name, told["room"]["id"], told["role"]) for name, told in heard] == [
        ("room-joined", first, "white"),
        ("room-joined", second, "watcher"),
    ]
    assert room_of(bob.heard())["watchers"] == [{"nickname": "Eve"}]
    assert room_of(ann.heard())["players"]["white"] is None


# Leaving and coming at once


@pytest.mark.parametrize("watch", [True, False])
@pytest.mark.parametrize("seated", [True, False])
def test_a_leave_and_a_join_sent_together_are_no_error(stage: Stage, seated: bool, watch: bool) -> None:
    ann, bob, eve = (player(stage, name) for name in ("Ann", "Bob", "Eve"))
    first, second = opened(ann), opened(bob)
    eve.ask("join-room", {"roomId": first, "asWatcher": not seated})
    eve.send("leave-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": watch})
    stage.wait(0.3)
    heard = quiet(eve.heard())
    assert names(heard) == ["room-joined", "room-updated"]
    assert room_of(heard)["id"] == second
    assert names(quiet(ann.heard()))[-2:] == (
        ["player-left", "room-updated"] if not seated else ["game-over", "room-updated"]
    )


@pytest.mark.parametrize("watch", [True, False])
def test_two_leaves_sent_together_are_answered_once(stage: Stage, watch: bool) -> None:
    ann, eve = player(stage, "Ann"), player(stage, "Eve")
    room = opened(ann)
    eve.ask("join-room", {"roomId": room, "asWatcher": watch})
    eve.send("leave-room", {"roomId": room})
    eve.send("leave-room", {"roomId": room})
    assert quiet(eve.heard()) == []
    assert names(quiet(ann.heard())).count("player-left") == 1


def test_join_leave_and_join_elsewhere_sent_together_are_no_error(stage: Stage) -> None:
    ann, bob, eve = (player(stage, name) for name in ("Ann", "Bob", "Eve"))
    first, second = opened(ann), opened(bob)
    eve.send("join-room", {"roomId": first})
    eve.send("leave-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": True})
    heard = quiet(eve.heard())
    assert "error" not in names(heard)
    assert room_of(heard)["id"] == second
    assert len(eve.connection.rooms) == 1


def test_a_room_can_be_left_and_joined_repeatedly(stage: Stage) -> None:
    ann, eve = player(stage, "Ann"), player(stage, "Eve")
    room = opened(ann)
    for _ in range(3):
        assert room_of(eve.ask("join-room", {"roomId": room, "asWatcher": True}))["myRole"] == "watcher"
        eve.ask("leave-room", {"roomId": room})
        assert eve.connection.rooms == {}


# Refused


@pytest.mark.parametrize("number", ["full", "1", None])
def test_after_a_refused_join_the_present_room_is_only_updated(
    stage: Stage, store: Faulty, number: str | None
) -> None:
    _, _, full = match(stage)
    cat, dan, room = match(stage, "Cat", "Dan")
    assert error(cat.ask("join-room", {"roomId": full if number == "full" else number})) in {
        "room_full",
        "room_not_found",
    }
    dan.heard()
    # The store loses a stone, so everybody is shown the room as it is.
    store.fail_before = 1
    assert names(quiet(place(cat, room, 7, 7))) == ["error", "room-updated"]
    assert names(quiet(dan.heard())) == ["room-updated"]


def test_after_a_refused_join_the_present_room_can_be_joined_again(stage: Stage) -> None:
    _, _, full = match(stage)
    cat, _, room = match(stage, "Cat", "Dan")
    assert error(cat.ask("join-room", {"roomId": full})) == "room_full"
    assert names(quiet(cat.ask("join-room", {"roomId": room}))) == ["room-joined", "room-updated"]
