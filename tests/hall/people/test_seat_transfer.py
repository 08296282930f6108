"""A seat moves to another device with a ticket that is good once, for five minutes."""

import pytest

from qipai.hall.people.person_quota import ROOMS_PER_PERSON
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import EPOCH, HallSimulation, Message, NativeClient, mark, seat_to_act


def ticket(one: NativeClient, room: str) -> str:
    (answer,) = one.ask("transfer_seat", room=room, nonce="h")
    assert (answer["type"], answer["room"], answer["nonce"]) == ("ticket", room, "h")
    return str(answer["ticket"])


def mine(
    simulation: HallSimulation, shown: Message, ann: NativeClient, bob: NativeClient
) -> tuple[NativeClient, NativeClient]:
    """Return who is to move, and the other."""
    return (bob, ann) if seat_to_act(shown) == shown["you"] else (ann, bob)


def test_the_other_device_has_the_seat_and_plays_on(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    mover, other = mine(simulation, shown, ann, bob)
    seat = seat_to_act(shown)
    name = shown["room"]["seats"][seat]["name"]
    phone = simulation.native_client("Phone")
    (taken,) = phone.ask("claim_seat", ticket=ticket(mover, room), nonce="t")
    assert (taken["type"], taken["you"]) == ("room", seat)
    assert taken["room"]["seats"][seat] == {"name": name}
    notice, left = mover.received()
    assert notice["events"] == []
    assert left == {"type": "left", "room": room, "reason": "transferred"}
    assert other.received() == [notice]
    assert mover.ask("play", **mark(room, 0))[0]["code"] == "not_in_room"
    (played,) = phone.ask("play", **mark(room, 4, "m"))
    assert played["nonce"] == "m"
    assert phone.hello(phone.token)["rooms"] == [room]
    assert mover.hello(mover.token)["rooms"] == []


def test_the_old_device_may_watch_then_and_no_longer_sees_as_a_seat(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    simulation.native_client("Phone").ask("claim_seat", ticket=ticket(ann, room))
    ann.received()
    (watching,) = ann.ask("watch", room=room)
    assert watching["you"] is None
    assert ann.ask("transfer_seat", room=room, nonce="x")[0]["code"] == "not_seated"


def test_a_ticket_is_good_once(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    paper = ticket(ann, shown["room"]["id"])
    phone, thief = simulation.native_client("Phone"), simulation.native_client("Thief")
    phone.ask("claim_seat", ticket=paper)
    (refused,) = thief.ask("claim_seat", ticket=paper, nonce="t")
    assert (refused["code"], refused["nonce"]) == ("bad_ticket", "t")
    (again,) = phone.ask("claim_seat", ticket=paper)
    assert again["type"] == "room", "the client that used the ticket may send it again"


def test_a_ticket_does_not_come_to_life_again_when_the_seat_comes_back(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    first, phone = ticket(ann, room), simulation.native_client("Phone")
    phone.ask("claim_seat", ticket=first)
    ann.received()
    assert ann.ask("claim_seat", ticket=ticket(phone, room))[0]["type"] == "room"
    assert simulation.native_client("Thief").ask("claim_seat", ticket=first)[0]["code"] == "bad_ticket"


def test_nor_when_its_person_has_left_and_sits_there_again(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="gomoku", nonce="t", table={"empty_timeout": 60})[0]["room"]["id"]
    paper = ticket(ann, room)
    ann.ask("leave", room=room)
    ann.ask("join", room=room, seat=0)
    assert simulation.native_client("Thief").ask("claim_seat", ticket=paper)[0]["code"] == "bad_ticket"


def test_a_ticket_is_good_for_five_minutes(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    (answer,) = ann.ask("transfer_seat", room=room, nonce="h")
    assert answer["expires"] == EPOCH + 300_000
    simulation.wait(300)
    assert (
        simulation.native_client("Phone").ask("claim_seat", ticket=answer["ticket"])[0]["code"]
        == "bad_ticket"
    )
    fresh = ticket(ann, room)
    simulation.wait(299)
    assert simulation.native_client("Phone").ask("claim_seat", ticket=fresh)[0]["type"] == "room"


@pytest.mark.parametrize("paper", ["x", "WyJhIl0.abc", "票", "." * 400])
def test_a_paper_that_is_no_ticket_is_refused(simulation: HallSimulation, paper: str) -> None:
    assert (
        simulation.native_client("Phone").ask("claim_seat", ticket=paper, nonce="n")[0]["code"]
        == "bad_ticket"
    )


def test_other_tokens_of_ours_are_no_tickets(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    assert ann.ask("claim_seat", ticket=ann.token)[0]["code"] == "bad_ticket"


def test_ones_own_ticket_does_no_harm(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    second = simulation.native_client(token=ann.token)
    (taken,) = second.ask("claim_seat", ticket=ticket(ann, room))
    assert taken["version"] == shown["version"]
    assert ann.received() == [{"type": "left", "room": room, "replaced": True}]


def test_nobody_gets_two_seats_of_a_table(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    assert bob.ask("claim_seat", ticket=ticket(ann, shown["room"]["id"]))[0]["code"] == "not_allowed"


def test_only_who_sits_at_the_table_gets_a_ticket(simulation: HallSimulation) -> None:
    _, _, shown = simulation.running_room()
    room, eve = shown["room"]["id"], simulation.native_client("Eve")
    assert eve.ask("transfer_seat", room=room, nonce="h")[0]["code"] == "not_in_room"
    eve.ask("watch", room=room)
    assert eve.ask("transfer_seat", room=room, nonce="h")[0]["code"] == "not_seated"


def test_a_watcher_becomes_the_player_and_is_told_nothing_twice(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room, eve = shown["room"]["id"], simulation.native_client("Eve")
    eve.ask("watch", room=room)
    taken = eve.ask("claim_seat", ticket=ticket(ann, room))
    assert [(one["type"], one.get("you")) for one in taken] == [("room", 1 - shown["you"])]
    bob.received()
    (said,) = bob.ask("say", room=room, text="who is there?")
    assert eve.received() == [said]


def test_who_was_lost_is_in_reach_on_the_new_device_at_once(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=30)
    room, seat = shown["room"]["id"], 1 - shown["you"]
    paper = ticket(ann, room)
    ann.disconnect()
    simulation.wait(10)
    bob.received()
    (taken,) = simulation.native_client("Phone").ask("claim_seat", ticket=paper)
    assert "away" not in taken["room"]["seats"][seat]
    assert bob.received()[0]["events"] == [{"e": "reconnected", "seat": seat}]
    simulation.wait(60)
    assert bob.received() == [], "nobody forfeits"


def test_a_moved_seat_survives_a_restart() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        ann, _, shown = simulation.running_room()
        room = shown["room"]["id"]
        phone = simulation.native_client("Phone")
        phone.ask("claim_seat", ticket=ticket(ann, room))
        tokens = ann.token, phone.token
    with HallSimulation(store, clock=100) as simulation:
        old, new = (simulation.native_client(token=token) for token in tokens)
        assert new.ask("join", room=room)[0]["you"] == 1 - shown["you"]
        assert old.ask("watch", room=room)[0]["you"] is None


def test_who_has_too_many_tables_gets_no_other(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    phone = simulation.native_client("Phone")
    for number in range(ROOMS_PER_PERSON):
        phone.ask("open", game="gomoku", nonce=f"n{number}")
    (refused,) = phone.ask("claim_seat", ticket=ticket(ann, shown["room"]["id"]), nonce="t")
    assert refused["code"] == "too_many_rooms"
