"""A seat moves to another device with a ticket that is good once, for five minutes."""

import pytest

from qipai.hall.connections.rate_limit import ROOMS_PER_PERSON
from qipai.stores.memory_store import MemoryStore
from tests.support.stage import EPOCH, Message, Peer, Stage, mark, seat_to_act


def ticket(one: Peer, room: str) -> str:
    (answer,) = one.ask("transfer_seat", room=room, nonce="h")
    assert (answer["type"], answer["room"], answer["nonce"]) == ("ticket", room, "h")
    return str(answer["ticket"])


def mine(stage: Stage, shown: Message, ann: Peer, bob: Peer) -> tuple[Peer, Peer]:
    """Return who is to move, and the other."""
    return (bob, ann) if seat_to_act(shown) == shown["you"] else (ann, bob)


def test_the_other_device_has_the_seat_and_plays_on(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    room = shown["room"]["id"]
    mover, other = mine(stage, shown, ann, bob)
    seat = seat_to_act(shown)
    name = shown["room"]["seats"][seat]["name"]
    phone = stage.peer("Phone")
    (taken,) = phone.ask("claim_seat", ticket=ticket(mover, room), nonce="t")
    assert (taken["type"], taken["you"]) == ("room", seat)
    assert taken["room"]["seats"][seat] == {"name": name}
    told, left = mover.heard()
    assert told["events"] == []
    assert left == {"type": "left", "room": room, "reason": "transferred"}
    assert other.heard() == [told]
    assert mover.ask("play", **mark(room, 0))[0]["code"] == "not_in_room"
    (played,) = phone.ask("play", **mark(room, 4, "m"))
    assert played["nonce"] == "m"
    assert phone.hello(phone.token)["rooms"] == [room]
    assert mover.hello(mover.token)["rooms"] == []


def test_the_old_device_may_watch_then_and_no_longer_sees_as_a_seat(stage: Stage) -> None:
    ann, _, shown = stage.table()
    room = shown["room"]["id"]
    stage.peer("Phone").ask("claim_seat", ticket=ticket(ann, room))
    ann.heard()
    (watching,) = ann.ask("watch", room=room)
    assert watching["you"] is None
    assert ann.ask("transfer_seat", room=room, nonce="x")[0]["code"] == "not_seated"


def test_a_ticket_is_good_once(stage: Stage) -> None:
    ann, _, shown = stage.table()
    paper = ticket(ann, shown["room"]["id"])
    phone, thief = stage.peer("Phone"), stage.peer("Thief")
    phone.ask("claim_seat", ticket=paper)
    (refused,) = thief.ask("claim_seat", ticket=paper, nonce="t")
    assert (refused["code"], refused["nonce"]) == ("bad_ticket", "t")
    (again,) = phone.ask("claim_seat", ticket=paper)
    assert again["type"] == "room", "he who has used it may send it again"


def test_a_ticket_does_not_come_to_life_again_when_the_seat_comes_back(stage: Stage) -> None:
    ann, _, shown = stage.table()
    room = shown["room"]["id"]
    first, phone = ticket(ann, room), stage.peer("Phone")
    phone.ask("claim_seat", ticket=first)
    ann.heard()
    assert ann.ask("claim_seat", ticket=ticket(phone, room))[0]["type"] == "room"
    assert stage.peer("Thief").ask("claim_seat", ticket=first)[0]["code"] == "bad_ticket"


def test_nor_when_its_person_has_left_and_sits_there_again(stage: Stage) -> None:
    ann = stage.peer("Ann")
    room = ann.ask("open", game="gomoku", nonce="t", table={"empty_timeout": 60})[0]["room"]["id"]
    paper = ticket(ann, room)
    ann.ask("leave", room=room)
    ann.ask("join", room=room, seat=0)
    assert stage.peer("Thief").ask("claim_seat", ticket=paper)[0]["code"] == "bad_ticket"


def test_a_ticket_is_good_for_five_minutes(stage: Stage) -> None:
    ann, _, shown = stage.table()
    room = shown["room"]["id"]
    (answer,) = ann.ask("transfer_seat", room=room, nonce="h")
    assert answer["expires"] == EPOCH + 300_000
    stage.wait(300)
    assert stage.peer("Phone").ask("claim_seat", ticket=answer["ticket"])[0]["code"] == "bad_ticket"
    fresh = ticket(ann, room)
    stage.wait(299)
    assert stage.peer("Phone").ask("claim_seat", ticket=fresh)[0]["type"] == "room"


@pytest.mark.parametrize("paper", ["x", "WyJhIl0.abc", "票", "." * 400])
def test_a_paper_that_is_no_ticket_is_refused(stage: Stage, paper: str) -> None:
    assert stage.peer("Phone").ask("claim_seat", ticket=paper, nonce="n")[0]["code"] == "bad_ticket"


def test_other_tokens_of_ours_are_no_tickets(stage: Stage) -> None:
    ann = stage.peer("Ann")
    assert ann.ask("claim_seat", ticket=ann.token)[0]["code"] == "bad_ticket"


def test_ones_own_ticket_does_no_harm(stage: Stage) -> None:
    ann, _, shown = stage.table()
    room = shown["room"]["id"]
    second = stage.peer(token=ann.token)
    (taken,) = second.ask("claim_seat", ticket=ticket(ann, room))
    assert taken["version"] == shown["version"]
    assert ann.heard() == [{"type": "left", "room": room, "replaced": True}]


def test_nobody_gets_two_seats_of_a_table(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    assert bob.ask("claim_seat", ticket=ticket(ann, shown["room"]["id"]))[0]["code"] == "not_allowed"


def test_only_who_sits_at_the_table_gets_a_ticket(stage: Stage) -> None:
    _, _, shown = stage.table()
    room, eve = shown["room"]["id"], stage.peer("Eve")
    assert eve.ask("transfer_seat", room=room, nonce="h")[0]["code"] == "not_in_room"
    eve.ask("watch", room=room)
    assert eve.ask("transfer_seat", room=room, nonce="h")[0]["code"] == "not_seated"


def test_a_watcher_becomes_the_player_and_is_told_nothing_twice(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    room, eve = shown["room"]["id"], stage.peer("Eve")
    eve.ask("watch", room=room)
    taken = eve.ask("claim_seat", ticket=ticket(ann, room))
    assert [(one["type"], one.get("you")) for one in taken] == [("room", 1 - shown["you"])]
    bob.heard()
    (said,) = bob.ask("say", room=room, text="who is there?")
    assert eve.heard() == [said]


def test_who_was_lost_is_in_reach_on_the_new_device_at_once(stage: Stage) -> None:
    ann, bob, shown = stage.table(disconnect_timeout=30)
    room, seat = shown["room"]["id"], 1 - shown["you"]
    paper = ticket(ann, room)
    ann.cut()
    stage.wait(10)
    bob.heard()
    (taken,) = stage.peer("Phone").ask("claim_seat", ticket=paper)
    assert "away" not in taken["room"]["seats"][seat]
    assert bob.heard()[0]["events"] == [{"e": "reconnected", "seat": seat}]
    stage.wait(60)
    assert bob.heard() == [], "nobody forfeits"


def test_a_moved_seat_survives_a_restart() -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        ann, _, shown = stage.table()
        room = shown["room"]["id"]
        phone = stage.peer("Phone")
        phone.ask("claim_seat", ticket=ticket(ann, room))
        tokens = ann.token, phone.token
    with Stage(store, clock=100) as stage:
        old, new = (stage.peer(token=token) for token in tokens)
        assert new.ask("join", room=room)[0]["you"] == 1 - shown["you"]
        assert old.ask("watch", room=room)[0]["you"] is None


def test_who_has_too_many_tables_gets_no_other(stage: Stage) -> None:
    ann, _, shown = stage.table()
    phone = stage.peer("Phone")
    for number in range(ROOMS_PER_PERSON):
        phone.ask("open", game="gomoku", nonce=f"n{number}")
    (refused,) = phone.ask("claim_seat", ticket=ticket(ann, shown["room"]["id"]), nonce="t")
    assert refused["code"] == "too_many_rooms"
