"""Challenges: who sees them, how they end, and that a challenger learns nothing but the answer."""

from typing import Any, Final

import pytest

from qipai.hall.people.presence import GRACE
from qipai.hall.relations.challenges import CHALLENGES, LIFETIME, MOST_SEEN
from tests.hall.relations.relation_world import RelationWorld
from tests.support.hall_simulation import Message, NativeClient

CLOCK: Final = {"main": [180_000], "increment": 2_000, "lag_compensation": True}
MINUTE: Final = LIFETIME / 1000


def challenge(
    world: RelationWorld, peer: NativeClient, name: str, nonce: str = "n", **wanted: Any
) -> list[Message]:
    """Challenge somebody; return the notices up to the challenge or a refusal."""
    opened = {"game": "gomoku", "nonce": nonce, **wanted}
    return world.ask(peer, "challenge", "challenge", "refused", name=name, open=opened)


def of_type(notices: list[Message], type_: str) -> list[Message]:
    return [one for one in notices if one["type"] == type_]


def ends(notices: list[Message]) -> list[str]:
    return [one["reason"] for one in of_type(notices, "challenge_ended")]


@pytest.fixture
def pair(world: RelationWorld) -> tuple[NativeClient, NativeClient]:
    return world.client("Ada"), world.client("Bo")


Pair = tuple[NativeClient, NativeClient]


def test_a_challenge_is_accepted_by_sitting_down(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    table = {"clock": CLOCK, "rated": True, "undo_allowed": False}
    shown, own = challenge(world, ada, "bo", table=table)
    assert shown["room"]["table"]["public"] is False, "whatever was asked for"
    room = shown["room"]["id"]
    expected = {"room": room, "game": "gomoku", "clock": CLOCK, "rated": True, "expires": own["expires"]}
    assert {key: own[key] for key in expected} == expected
    assert (own["name"], own["outgoing"]) == ("Bo", True)
    (seen,) = bo.received()
    assert {key: seen[key] for key in expected} == expected
    assert (seen["type"], seen["name"], "outgoing" in seen) == ("challenge", "Ada", False)
    assert seen["options"] == shown["room"]["options"]
    assert seen["expires"] - world.simulation.now() == LIFETIME
    assert world.ask(bo, "lobby", "lobby", on=True)[0].get("rooms") in (None, [])
    bo.send("join", room=room)
    joined = bo.received()
    assert of_type(joined, "room")[0]["room"]["phase"] == "playing"
    assert ends(joined) == ends(ada.received()) == ["accepted"]
    world.simulation.wait(MINUTE + 1)
    assert ends(ada.received()) == ends(bo.received()) == []


def test_a_declined_challenge_leaves_the_table_open(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    assert ends(bo.ask("decline_challenge", room=room)) == ["declined"]
    assert ada.received() == [{"type": "challenge_ended", "room": room, "reason": "declined"}]
    assert room in world.simulation.hall.executor.live_rooms
    (refused,) = bo.ask("decline_challenge", room=room)
    assert (refused["code"], refused["room"]) == ("not_asked", room)
    challenge(world, ada, "Bo", "again")
    assert len(of_type(bo.received(), "challenge")) == 1


def test_a_challenge_ends_after_a_minute(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    challenge(world, ada, "Bo")
    world.simulation.wait(MINUTE - 1)
    assert ends(ada.received()) == ends(bo.received()) == []
    world.simulation.wait(2)
    assert ends(ada.received()) == ends(bo.received()) == ["expired"]


@pytest.mark.parametrize("way", ["leave", "disconnect"])
def test_a_challenge_ends_when_its_challenger_leaves(world: RelationWorld, pair: Pair, way: str) -> None:
    ada, bo = pair
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    bo.received()
    if way == "leave":
        ada.ask("leave", room=room)
    else:
        ada.disconnect()
        world.simulation.wait(GRACE / 1000 + 1)
    assert ends(bo.received()) == ["withdrawn"]


def test_a_challenge_is_shown_on_every_device_also_on_a_later_one(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    later = world.client("Bo")
    for peer in (bo, later):
        assert [one["room"] for one in of_type(peer.received(), "challenge")] == [room]
    other = world.client("Ada")
    (own,) = of_type(other.received(), "challenge")
    assert (own["outgoing"], own["name"]) == (True, "Bo")
    third = world.client("Cy")
    assert third.received() == []
    bo.ask("decline_challenge", room=room)
    for peer in (ada, other, later):
        assert ends(peer.received()) == ["declined"]


def test_the_same_challenge_sent_twice_is_one(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    first = challenge(world, ada, "Bo")[0]["room"]["id"]
    bo.received()
    again = world.ask(ada, "challenge", "room", name="Bo", open={"game": "gomoku", "nonce": "n"})
    assert again[0]["room"]["id"] == first
    bo.ask("decline_challenge", room=first)
    world.ask(ada, "challenge", "room", name="Bo", open={"game": "gomoku", "nonce": "n"})
    assert of_type(bo.received(), "challenge") == []


def test_two_players_have_one_open_challenge(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    assert challenge(world, ada, "Bo", "second")[-1]["code"] == "challenge_stands"
    (refused,) = of_type(challenge(world, bo, "Ada", "third"), "refused")
    assert (refused["code"], refused["nonce"]) == ("challenge_stands", "third")
    cy = world.client("Cy")
    challenge(world, ada, "Cy", "fourth")
    assert len(of_type(cy.received(), "challenge")) == 1
    ada.ask("leave", room=room)
    assert of_type(challenge(world, bo, "Ada", "fifth"), "refused") == []


def test_one_account_makes_few_challenges_a_minute(world: RelationWorld, pair: Pair) -> None:
    ada, _ = pair
    names = [f"Player {number}" for number in range(CHALLENGES + 4)]
    world.register(*names)
    answers = [challenge(world, ada, name, name)[-1] for name in names]
    assert [each["type"] for each in answers] == ["challenge"] * CHALLENGES + ["refused"] * 4
    assert {each["code"] for each in answers[CHALLENGES:]} == {"rate_limited"}
    assert len(world.simulation.hall.executor.live_rooms) == CHALLENGES
    world.simulation.wait(MINUTE + 1)
    assert challenge(world, ada, names[-1], "later")[-1]["type"] == "challenge"


def test_one_account_sees_few_challenges_at_a_time(world: RelationWorld) -> None:
    victim = world.client("Victim")
    crowd = [world.client(f"Crowd {number}") for number in range(MOST_SEEN + 3)]
    answers = [challenge(world, peer, "Victim")[-1] for peer in crowd]
    assert {each["type"] for each in answers} == {"challenge"}, "nobody learns that others were there first"
    assert len(of_type(victim.received(), "challenge")) == MOST_SEEN
    assert len(of_type(world.client("Victim").received(), "challenge")) == MOST_SEEN


def test_what_cannot_be_a_challenge_is_refused(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    guest = world.simulation.native_client("Guest")
    assert challenge(world, guest, "Ada")[-1]["code"] == "account_needed"
    assert challenge(world, ada, "Guest")[-1]["code"] == "no_such_player"
    assert challenge(world, ada, "Nobody")[-1]["code"] == "no_such_player"
    assert challenge(world, ada, "x" * 200)[-1]["code"] == "no_such_player"
    assert challenge(world, ada, "Ada")[-1]["code"] == "not_allowed"
    assert challenge(world, ada, "Bo", game="go")[-1]["code"] == "no_such_game"
    assert challenge(world, ada, "Bo", "o", options={"size": 3})[-1]["code"] == "bad_options"
    assert challenge(world, ada, "Bo", "b", bot="minimax")[-1]["code"] in {"room_full", "no_such_bot"}
    refused = challenge(world, ada, "Bo", "r", table={"rated": True})[-1]
    assert (refused["code"], refused["nonce"]) == ("bad_options", "r")
    assert bo.received() == []
    assert len(world.simulation.hall.executor.live_rooms) == 0
    (answer,) = guest.ask("decline_challenge", room="none")
    assert answer["code"] == "not_asked"


def test_bots_take_other_seats_but_leave_one(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    bot = next(iter(world.simulation.hall.executor.games["mahjong"].bots))
    full = challenge(world, ada, "Bo", "full", game="mahjong", bot=bot)[-1]
    assert (full["code"], full["nonce"]) == ("room_full", "full")
    shown = of_type(challenge(world, ada, "Bo", "some", game="mahjong", bot=bot, bots=2), "room")[0]["room"]
    (seen,) = of_type(bo.received(), "challenge")
    assert of_type(bo.ask("join", room=seen["room"]), "room")[0]["room"]["phase"] == "playing"
    assert seen["room"] == shown["id"]


UNSEEN: Final = ("offline", "blocked", "invisible", "followed only", "away")


def make_unseen(world: RelationWorld, why: str) -> NativeClient | None:
    """Let Bo be somebody who does not see a challenge of Ada; return the connection."""
    world.register("Bo")
    if why == "offline":
        return None
    bo = world.client("Bo")
    if why == "away":
        bo.disconnect()
        return None
    if why == "blocked":
        world.block("Bo", "Ada")
    else:
        world.privacy(
            "Bo",
            invisible=why == "invisible",
            challenges_from="everyone" if why == "invisible" else "followed",
        )
    bo.received()
    return bo


@pytest.mark.parametrize("why", UNSEEN)
def test_a_challenger_does_not_learn_why_nobody_answers(world: RelationWorld, why: str) -> None:
    ada = world.client("Ada")
    bo = make_unseen(world, why)
    shown, own = challenge(world, ada, "Bo")
    assert set(own) == {"type", "room", "name", "game", "options", "expires", "outgoing"}
    assert challenge(world, ada, "Bo", "again")[-1]["code"] == "challenge_stands"
    if bo is not None:
        assert of_type(bo.received(), "challenge") == []
        (refused,) = bo.ask("decline_challenge", room=own["room"])
        assert refused["code"] == "not_asked", "an unseen challenge does not exist"
        if why != "blocked":
            # Nor does it stand in the way.
            assert challenge(world, bo, "Ada")[-1]["type"] == "challenge"
            ada.received()
    world.simulation.wait(MINUTE + 1)
    assert ends(ada.received())[:1] == ["expired"]
    assert shown["room"]["id"] == own["room"]


@pytest.mark.parametrize("chosen", [{"invisible": True}, {"challenges_from": "followed"}])
def test_those_whom_a_person_follows_are_seen_by_it(world: RelationWorld, pair: Pair, chosen: Any) -> None:
    ada, bo = pair
    world.privacy("Bo", **chosen)
    world.follow("Bo", "Ada")
    challenge(world, ada, "Bo")
    assert len(of_type(bo.received(), "challenge")) == 1


def test_the_answer_of_an_invisible_person_is_not_told(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    world.privacy("Bo", invisible=True)
    world.follow("Bo", "Ada")
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    assert ends(bo.ask("decline_challenge", room=room)) == ["declined"]
    assert ada.received() == []
    assert of_type(world.client("Bo").received(), "challenge") == []
    world.simulation.wait(MINUTE + 1)
    assert ends(ada.received()) == ["expired"]
    assert ends(bo.received()) == []


def test_somebody_who_takes_no_challenges_is_left_alone(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    world.privacy("Bo", challenges_from="nobody")
    world.follow("Bo", "Ada")
    assert challenge(world, ada, "Bo")[-1]["code"] == "no_challenges"
    assert bo.received() == []


def test_a_block_hides_an_open_challenge_and_its_end(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    room = challenge(world, ada, "Bo")[0]["room"]["id"]
    bo.received()
    world.block("Bo", "Ada")
    assert ends(bo.received()) == ["withdrawn"]
    assert ada.received() == []
    world.simulation.wait(MINUTE + 1)
    assert ends(ada.received()) == ["expired"]
    assert ends(bo.received()) == []
    assert challenge(world, bo, "Ada", "own")[-1]["code"] == "not_allowed", "the block must end first"
    assert room in world.simulation.hall.executor.live_rooms


def test_a_challenge_ends_when_somebody_else_takes_the_last_seat(world: RelationWorld, pair: Pair) -> None:
    ada, bo = pair
    code = challenge(world, ada, "Bo")[0]["room"]["code"]
    guest = world.simulation.native_client("Guest")
    guest.ask("join", room=code)
    assert ends(bo.received()) == ends(ada.received()) == ["withdrawn"]
