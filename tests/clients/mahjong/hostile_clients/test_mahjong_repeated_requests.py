"""Mahjong commands repeated with the same request id: draws without a seat, rolls and next rounds."""

from tests.clients.mahjong.mahjong_clients import Message, Mj, arrange, four, hand, live_room_of, start, token
from tests.games.mahjong.mahjong_walls import table
from tests.support.hall_simulation import HallSimulation


def keyed(simulation: HallSimulation) -> Mj:
    """Return a client that holds all seats of a new game by their tokens."""
    one = Mj(simulation, start(simulation, seats="token"))
    rejoin(one)
    return one


def rejoin(one: Mj) -> None:
    for player in (1, 2, 3, 4):
        one.do("join_room", {"player_id": player, "token": token(one.simulation, one.game, player)})


def dealt(simulation: HallSimulation) -> tuple[Mj, int]:
    """Return the holder of all seats after the deal, and whose turn it is."""
    one = keyed(simulation)
    one.do("roll_positions")
    one.do("roll_dealer")
    return one, one.do("deal_tiles")["current_player_id"]


def drop(one: Mj, player: int) -> int:
    """Let a player discard and all others pass; return who draws."""
    one.discard(player, hand(one.state(), player)[-1])
    for other in range(1, 5):
        if one.state()["stage"] == "WAIT_ACTION" and other in one.state()["waiting_for"]:
            one.act(other, "pass")
    state = one.state()
    assert state["stage"] == "PLAYER_DRAW"
    return int(state["current_player_id"])


def draw(one: Mj) -> Message:
    return one.ask("draw_tile", req_id="q")


def test_draws_of_two_seats_with_one_request_id_both_take_effect(simulation: HallSimulation) -> None:
    one, dealer = dealt(simulation)
    first_seat = drop(one, dealer)
    first = draw(one)
    assert draw(one) == first
    second_seat = drop(one, first_seat)
    second = draw(one)
    assert second["data"]["current_player_id"] == second_seat
    assert second["data"]["tile"] != first["data"]["tile"]
    assert one.state()["stage"] == "PLAYER_DISCARD"
    assert draw(one) == second


def test_a_draw_without_a_seat_is_recognised_on_the_next_socket(simulation: HallSimulation) -> None:
    one, dealer = dealt(simulation)
    seat = drop(one, dealer)
    first = draw(one)
    one.leave()
    again = Mj(simulation, one.game)
    assert draw(again)["code"] == "not_seated"
    rejoin(again)
    version = live_room_of(simulation, one.game).durable.version
    assert draw(again) == first
    assert again.ask("draw_tile", {"player_id": seat}, req_id="q") == first, (
        "named or not, it is the same seat"
    )
    assert live_room_of(simulation, one.game).durable.version == version


def test_a_repeated_request_of_one_seat_is_answered_after_its_turn(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[-1])
    for player, one in enumerate(clients, 1):
        if player in one.state()["waiting_for"]:
            one.act(player, "pass")
    seat = int(clients[0].state()["current_player_id"])
    drawer = clients[seat - 1]
    first = draw(drawer)
    drawer.discard(seat, hand(drawer.state(), seat)[-1])
    for player, one in enumerate(clients, 1):
        if player in one.state()["waiting_for"]:
            one.act(player, "pass")
    assert draw(drawer) == first


def test_a_repeated_roll_on_another_socket_rolls_once(simulation: HallSimulation) -> None:
    one = keyed(simulation)
    first = one.ask("roll_positions", req_id="p")
    second = one.ask("roll_dealer", req_id="p2")
    assert "error" not in first
    one.leave()
    again = Mj(simulation, one.game)
    assert again.refused("roll_positions", req_id="p")[0] == "not_seated"
    again.do("join_room", {"player_id": 3, "token": token(simulation, one.game, 3)})
    assert again.ask("roll_positions", req_id="p") == first
    assert again.ask("roll_dealer", req_id="p2") == second


def test_request_ids_of_common_and_seat_commands_are_separate(
    simulation: HallSimulation,
) -> None:
    one, _ = dealt(simulation)
    arrange(simulation, one.game, table({0: "123456789m123p9s"}, extra="9s", manual_steps=True, hints=False))
    one.act(1, "hu")
    first = one.ask("next_round", req_id=1)
    assert first["data"]["dealer_streak"] == 1
    one.leave()
    again = Mj(simulation, one.game)
    rejoin(again)
    assert again.ask("next_round", req_id=1) == first
    dealer = again.do("deal_tiles")["current_player_id"]
    data = {"player_id": dealer, "tile": {"id": hand(again.state(), dealer)[0]}}
    assert again.ask("discard_tile", data, req_id=1)["data"]["stage"] == "WAIT_ACTION"
