"""Rated tables: what their rules must be, and that only signed-in players sit there."""

from typing import Any

import pytest

from tests.support.hall_simulation import HallSimulation, Message, NativeClient, seat_to_act

CLOCK = {"main": [180_000], "increment": 2_000}
RATED: dict[str, Any] = {"rated": True, "undo_allowed": False, "clock": CLOCK}
SIXTEEN = {"tiles": 16, "hints": False}
EACH_MOVE = {"move": 20_000}


def open_rated(one: NativeClient, game: str = "chess", nonce: str = "n", **more: Any) -> Message:
    (answer,) = one.ask("open", **{"game": game, "nonce": nonce, "table": RATED} | more)
    return answer


@pytest.mark.parametrize(
    ("game", "options", "clock"),
    [
        ("chess", {}, CLOCK),
        ("chess", {"dice": "free"}, CLOCK),
        ("chess", {"fog": True, "mines": 5}, CLOCK),
        ("gomoku", {}, CLOCK),
        ("gomoku", {"rule": "renju"}, CLOCK),
        ("gomoku", {"rule": "swap2", "size": 19}, CLOCK),
        ("mahjong", SIXTEEN, EACH_MOVE),
        ("mahjong", {"tiles": 13, "hints": False, "rounds": 1}, EACH_MOVE),
    ],
)
def test_a_signed_in_player_opens_a_rated_table_by_the_usual_rules(
    simulation: HallSimulation, game: str, options: dict[str, Any], clock: dict[str, Any]
) -> None:
    ada = simulation.account("Ada")
    shown = open_rated(ada, game, options=options, table=RATED | {"clock": clock})
    table = shown["room"]["table"]
    assert (table["rated"], table["undo_allowed"], table.get("substitute_bot")) == (True, False, None)
    assert table.get("disconnect_timeout", 60) == 60


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"table": {"rated": True, "undo_allowed": False}}, "clock"),
        ({"table": RATED | {"clock": {"main": [60_000, 120_000]}}}, "the same time"),
        ({"table": RATED | {"undo_allowed": True}}, "undo"),
        ({"table": RATED | {"disconnect_timeout": 0}}, "forfeits after 60 seconds"),
        ({"table": RATED | {"disconnect_timeout": 1}}, "forfeits after 60 seconds"),
        ({"table": RATED | {"disconnect_timeout": 3600}}, "forfeits after 60 seconds"),
        ({"table": RATED | {"substitute_bot": "easy"}, "game": "gomoku"}, "bots"),
        ({"bot": "easy", "game": "gomoku"}, "bots"),
        ({"table": RATED | {"sees_hidden_allowed": True}}, "older clients"),
        ({"table": RATED | {"legacy": {"host_starts": True}}}, "older clients"),
        ({"table": RATED | {"legacy": {"open_seats": True}}}, "older clients"),
        ({"options": {"mines": 3}}, "chess is not rated with these options"),
        ({"options": {"dice": "sequential"}}, "not rated"),
        ({"options": {"dice": "free", "rerolls": 1}}, "not rated"),
        ({"game": "mahjong", "options": {"tiles": 16}}, "not rated"),
        ({"game": "mahjong", "options": SIXTEEN | {"hints": {"shanten": False}}}, "not rated"),
        ({"game": "mahjong", "options": SIXTEEN | {"unit": 50}}, "not rated"),
        ({"game": "mahjong", "options": SIXTEEN | {"house": {"cap": 8}}}, "not rated"),
        ({"game": "tictactoe"}, "not rated"),
    ],
    ids=str,
)
def test_other_rules_are_refused_with_the_reason_and_nothing_changes(
    simulation: HallSimulation, changed: dict[str, Any], about: str
) -> None:
    ada = simulation.account("Ada")
    refused = open_rated(ada, **changed)
    assert (refused["type"], refused["code"], refused["nonce"]) == ("refused", "bad_options", "n")
    assert about in refused["about"]
    assert not simulation.hall.executor.live_rooms
    assert open_rated(ada)["type"] == "room", "neither a room nor the nonce is used up"


def test_a_guest_opens_no_rated_table_and_is_told_to_sign_in(simulation: HallSimulation) -> None:
    guest = simulation.native_client("Guest")
    refused = open_rated(guest)
    assert (refused["code"], refused["nonce"]) == ("account_needed", "n")
    (refused,) = guest.ask("quick_match", game="chess", clock=CLOCK, rated=True)
    assert refused["code"] == "account_needed"
    assert not simulation.hall.executor.live_rooms


def test_a_guest_takes_no_seat_at_a_rated_table_by_any_way_but_may_watch(simulation: HallSimulation) -> None:
    ada, guest = simulation.account("Ada"), simulation.native_client("Guest")
    shown = open_rated(ada)["room"]
    for key in (shown["id"], shown["code"]):
        (refused,) = guest.ask("join", room=key)
        assert (refused["type"], refused["code"], refused["room"]) == (
            "refused",
            "account_needed",
            shown["id"],
        )
    (own,) = guest.ask("quick_match", game="chess", clock=CLOCK)
    assert own["room"]["id"] != shown["id"]
    (ticket,) = ada.ask("transfer_seat", room=shown["id"], nonce="t")
    (refused,) = guest.ask("claim_seat", ticket=ticket["ticket"], nonce="c")
    assert (refused["code"], refused["nonce"]) == ("account_needed", "c")
    assert ada.received() == []
    assert guest.ask("watch", room=shown["id"])[0]["you"] is None
    bo = simulation.account("Bo")
    assert bo.ask("join", room=shown["id"])[0]["room"]["phase"] == "playing", "the seat was still free"


def test_nobody_else_plays_on_in_a_rated_game(simulation: HallSimulation) -> None:
    ada, bo, cy = (simulation.account(name) for name in ("Ada", "Bo", "Cy"))
    room = open_rated(ada)["room"]["id"]
    bo.ask("join", room=room)
    (*_, ticket) = ada.ask("transfer_seat", room=room, nonce="t")
    (refused,) = cy.ask("claim_seat", ticket=ticket["ticket"], nonce="c")
    assert (refused["code"], refused["nonce"]) == ("not_allowed", "c")
    (shown, *_) = ada.ask("claim_seat", ticket=ticket["ticket"], nonce="own")
    assert shown["you"] in {0, 1}


def test_the_seat_of_a_player_who_left_is_for_signed_in_players_too(simulation: HallSimulation) -> None:
    ada, bo = simulation.account("Ada"), simulation.account("Bo")
    room = open_rated(ada, "gomoku")["room"]["id"]
    shown = bo.ask("join", room=room)[0]
    ada.received()
    mover = (ada, bo)[seat_to_act(shown)]
    mover.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})
    bo.ask("leave", room=room)
    shown = ada.ask("watch", room=room)[-1]["room"]
    assert (shown["phase"], shown["result"]["winners"]) == ("over", [0])
    guest = simulation.native_client("Guest")
    assert guest.ask("join", room=room)[0]["code"] == "account_needed"
    assert simulation.account("Cy").ask("join", room=room)[0]["type"] == "room"


def test_a_mahjong_player_who_leaves_a_rated_match_ends_it(simulation: HallSimulation) -> None:
    people = [simulation.account(name) for name in ("Ada", "Bo", "Cy", "Di")]
    table = RATED | {"clock": EACH_MOVE}
    room = open_rated(people[0], "mahjong", options=SIXTEEN, table=table)["room"]["id"]
    for one in people[1:]:
        one.ask("join", room=room)
    people[3].ask("leave", room=room)
    shown = people[0].ask("watch", room=room)[-1]["room"]
    assert shown["phase"] == "over"
    assert 3 not in shown["result"]["winners"]


def test_the_lobby_says_that_a_table_is_rated(simulation: HallSimulation) -> None:
    ada = simulation.account("Ada")
    room = open_rated(ada)["room"]["id"]
    ada.ask("open", game="gomoku", nonce="other")
    (listed,) = simulation.native_client("Guest").ask("lobby", on=True)
    rows = {row["id"]: row.get("rated", False) for row in listed["rooms"]}
    assert len(rows) == 2
    assert [room for room, rated in rows.items() if rated] == [room]
