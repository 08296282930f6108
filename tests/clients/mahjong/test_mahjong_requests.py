"""Envelopes of the mahjong dialect: forms, request ids, errors and rate limit."""

import json
from typing import Any

import pytest

from qipai.clients.mahjong import reply_cache
from qipai.clients.mahjong.dialect import MAX_GAMES
from qipai.clients.mahjong.errors import REFUSALS
from qipai.kernel.refusals import Refusal
from tests.clients.mahjong.mahjong_clients import Mj, four, hand, live_room_of, single, start, token
from tests.support.hall_simulation import HallSimulation


@pytest.mark.parametrize(
    "frame",
    [
        {"game_id": "$", "type": "join_room", "data": {"player_id": 2}},
        {"type": "join_room", "data": {"game_id": "$", "player_id": 2}},
        {"game_id": "$", "type": "join_room", "data": {"data": {"player_id": 2}}},
        {"type": "join_room", "data": {"game_id": "$", "data": {"player_id": 2}}},
        {"type": "join_room", "data": {"data": {"game_id": "$", "player_id": 2}}},
        {"game_id": "$", "type": "join_room", "data": {"game_id": "$", "player_id": 2}, "more": [1]},
        {"game_id": "", "type": "join_room", "data": {"game_id": "$", "player_id": 2}},
        {"game_id": None, "type": "join_room", "data": {"game_id": "$", "player_id": 2}},
        {
            "game_id": "",
            "type": "join_room",
            "data": {"game_id": None, "data": {"game_id": "$", "player_id": 2}},
        },
    ],
)
def test_all_forms_of_the_envelope_mean_the_same(simulation: HallSimulation, frame: dict[str, Any]) -> None:
    one = Mj(simulation, start(simulation))
    one.send_frame(json.dumps(frame).replace("$", one.game).encode())
    (answer,) = one.answers()
    assert answer["data"]["seats"] == [2]


@pytest.mark.parametrize(
    "frame",
    [b"", b"x", b"null", b"1", b"[]", b'"x"', b"{}", b'{"type":1}', b'{"type":null}', b"\xff", b"[" * 99],
)
def test_a_frame_that_is_no_message_gives_an_error(simulation: HallSimulation, frame: bytes) -> None:
    one = Mj(simulation)
    one.send_frame(frame)
    assert one.received() == [{"type": "error", "error": "invalid payload format"}]


def test_an_unknown_type_is_answered_with_its_own_name(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    answer = one.ask("declare")
    assert answer == {"type": "declare_response", "error": "unknown message type", "code": "unknown_type"}


@pytest.mark.parametrize("game", ["", "majiang_nothing", "1234", 5, None, ["x"], "x" * 5000, "majiang_\x00"])
def test_an_unknown_game_is_not_found(simulation: HallSimulation, game: Any) -> None:
    one = Mj(simulation)
    code, text = one.refused("get_state", game_id=game)
    assert code in ("game_not_found", "bad_payload")
    assert text == "game not found" or not isinstance(game, str)


def test_a_room_of_a_web_client_is_not_found(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="mahjong", nonce="1", bot="random")[0]["room"]
    one = Mj(simulation)
    assert one.refused("get_state", game_id=room["id"])[0] == "game_not_found"
    assert one.refused("get_state", game_id=room["code"])[0] == "game_not_found"
    chess = ann.ask("open", game="chess", nonce="2")[0]["room"]
    assert one.refused("get_state", game_id=chess["id"])[0] == "game_not_found"
    assert one.connection.rooms == {}


def test_a_room_code_is_not_a_game_id(simulation: HallSimulation) -> None:
    game = start(simulation)
    code = live_room_of(simulation, game).durable.code
    assert Mj(simulation).refused("get_state", game_id=code)[0] == "game_not_found"


@pytest.mark.parametrize("data", [[], "x", 5, True, {"data": []}, {"data": "x"}, {"game_id": "other"}])
def test_data_of_another_form_is_refused(simulation: HallSimulation, data: Any) -> None:
    one = Mj(simulation, start(simulation))
    assert one.refused("get_state", data)[0] == "bad_payload"


@pytest.mark.parametrize("player", [0, 5, -1, "2", 1.0, True, None, [1], {}, 2**70])
def test_an_invalid_player_id_is_refused(simulation: HallSimulation, player: Any) -> None:
    one, _ = single(simulation)
    version = live_room_of(simulation, one.game).durable.version
    data = {"player_id": player, "tile": {"id": 1}, "action": "pass"}
    assert one.refused("discard_tile", data)[0] == "bad_player"
    assert one.refused("player_action", data)[0] == "bad_player"
    assert live_room_of(simulation, one.game).durable.version == version


def test_frames_are_answered_in_order(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    for kind in ("roll_positions", "roll_dealer", "deal_tiles", "get_deck_count", "roll_dealer", "nonsense"):
        one.send(kind)
    received = one.answers()
    assert [answer["type"].removesuffix("_response") for answer in received] == [
        "roll_positions", "roll_dealer", "deal_tiles", "get_deck_count", "roll_dealer", "nonsense",
    ]  # fmt: skip
    assert [answer.get("code") for answer in received] == [None] * 4 + ["bad_stage", "unknown_type"]


# Ids of requests


def test_a_request_id_is_echoed_in_every_reply(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    assert one.ask("get_state", req_id="a")["req_id"] == "a"
    assert one.ask("roll_dealer", req_id=7)["req_id"] == 7
    assert one.ask("nonsense", req_id="b")["req_id"] == "b"
    assert "req_id" not in one.ask("get_state")
    assert one.ask("get_state", {"req_id": "inside"})["req_id"] == "inside"
    wrongs: list[Any] = [[], {}, True, 1.5, "x" * 65, 2**60]
    for wrong in wrongs:
        assert one.refused("roll_positions", req_id=wrong)[0] == "bad_payload"


def test_a_repeated_request_takes_effect_once_and_is_answered_twice(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    mover = clients[dealer - 1]
    tiles = hand(mover.state(), dealer)
    data = {"player_id": dealer, "tile": {"id": tiles[0]}}
    first = mover.ask("discard_tile", data, req_id="one")
    version = live_room_of(simulation, mover.game).durable.version
    assert mover.ask("discard_tile", data, req_id="one") == first
    assert live_room_of(simulation, mover.game).durable.version == version
    other = dealer % 4 + 1
    answer = clients[other - 1].ask("player_action", {"player_id": other, "action": "pass"}, req_id="one")
    assert answer["data"]["stage"] == "WAIT_ACTION", "another seat may use the same id"
    assert mover.refused("discard_tile", data, req_id="two")[0] == "bad_stage"


def test_an_error_is_repeated_unless_it_is_temporary(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    other = dealer % 4 + 1
    asker = clients[other - 1]
    data = {"player_id": other, "action": "pass"}
    first = asker.ask("player_action", data, req_id=1)
    assert first["code"] == "bad_stage"
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[0])
    assert asker.ask("player_action", data, req_id=1) == first
    assert "error" not in asker.ask("player_action", data, req_id=2)
    taken = asker.ask("player_action", {"player_id": dealer, "action": "pass"}, req_id=3)
    assert taken["code"] == "seat_taken"


def keyed(simulation: HallSimulation) -> tuple[Mj, int]:
    """Return a client that holds all seats of a game by their tokens, just dealt, and the dealer."""
    one = Mj(simulation, start(simulation, seats="token"))
    for player in (1, 2, 3, 4):
        one.do("join_room", {"player_id": player, "token": token(simulation, one.game, player)})
    one.do("roll_positions")
    one.do("roll_dealer")
    dealer: int = one.do("deal_tiles", {"player_id": 1}, req_id="deal")["current_player_id"]
    return one, dealer


def test_a_request_is_recognised_on_the_next_socket_of_the_same_seat(simulation: HallSimulation) -> None:
    one, dealer = keyed(simulation)
    data = {"player_id": dealer, "tile": {"id": hand(one.state(), dealer)[0]}}
    first = one.ask("discard_tile", data, req_id="r")
    one.leave()
    again = Mj(simulation, one.game)
    assert again.ask("discard_tile", data, req_id="r")["code"] == "not_seated"
    again.do("join_room", {"player_id": dealer, "token": token(simulation, one.game, dealer)})
    assert again.ask("discard_tile", data, req_id="r") == first


def test_a_repeated_deal_does_not_show_hands_of_other_seats(simulation: HallSimulation) -> None:
    one, _ = keyed(simulation)
    again = Mj(simulation, one.game)
    again.do("join_room", {"player_id": 1, "token": token(simulation, one.game, 1)})
    assert again.ask("deal_tiles", {"player_id": 1}, req_id="deal")["code"] == "bad_stage"


def test_the_reply_cache_is_bounded() -> None:
    kept = reply_cache.ReplyCache()
    for number in range(3_000):
        kept.store((f"room {number}", None), 1, b"x")
        kept.store(("room", None), number, b"x")
    assert len(kept) <= reply_cache.MAX_SEATS
    assert kept.find(("room", None), 0) is None
    assert kept.find(("room", None), 2_999) == b"x"


# Rate limit


def test_fifty_frames_a_second_are_answered_at_once_and_more_are_answered_later(
    simulation: HallSimulation,
) -> None:
    one = Mj(simulation, start(simulation))
    one.state()
    simulation.wait(2)
    for number in range(90):
        one.send("get_deck_count", req_id=str(number))
    received = one.answers()
    assert len(received) == 50
    assert one.transport.reading_paused
    simulation.wait(0.9)
    received += one.answers()
    assert [answer["req_id"] for answer in received] == [str(number) for number in range(90)]
    assert not any("code" in answer for answer in received)
    assert not one.transport.reading_paused


def test_a_flood_that_does_not_stop_ends_the_connection(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    for _ in range(700):
        one.send("get_deck_count")
    simulation.settle()
    assert one.transport.closed == 4429


def test_a_socket_follows_a_bounded_number_of_games(simulation: HallSimulation) -> None:
    one = Mj(simulation)
    for number in range(MAX_GAMES + 1):
        answer = one.ask("get_state", game_id=start(simulation))
        assert ("error" in answer) == (number == MAX_GAMES)
        simulation.wait(0.1)
    assert answer["code"] == "too_many_games"


def test_two_games_over_one_socket_do_not_mix(simulation: HallSimulation) -> None:
    one, dealt = single(simulation)
    first, second = one.game, start(simulation)
    one.do("join_room", {"player_id": 1}, game_id=second)
    one.do("roll_positions", game_id=second)
    assert one.state()["stage"] == "PLAYER_DISCARD"
    events = one.new_events()
    assert {event["data"]["game_id"] for event in events} == {second}
    dealer = dealt["current_player_id"]
    one.discard(dealer, hand(one.state(), dealer)[0])
    assert [event["data"]["game_id"] for event in one.new_events()] == [first]


def test_every_refusal_of_the_table_has_a_code_and_a_text() -> None:
    assert {*REFUSALS} == {*Refusal}
    assert all(code and text for code, text in REFUSALS.values())
