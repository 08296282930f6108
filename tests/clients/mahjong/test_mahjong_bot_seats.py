"""Spectators, bots, time-outs and disconnected players in the mahjong dialect."""

from qipai.kernel.room import Phase
from tests.clients.mahjong.mahjong_clients import (
    Mj,
    arrange,
    four,
    hand,
    live_room_of,
    play_on,
    prepared,
    start,
    token,
)
from tests.clients.mahjong.test_mahjong_seats import TAKEN
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, table
from tests.support.hall_simulation import HallSimulation


def test_join_room_without_a_player_watches(simulation: HallSimulation) -> None:
    clients, _ = four(simulation)
    spectator = Mj(simulation, clients[0].game)
    assert spectator.do("join_room")["seats"] == []
    clients[0].do("get_state")
    clients[0].leave()
    simulation.wait(6)
    assert spectator.new_events()[-1]["event"]["type"] == "player_away"


def test_the_seat_of_a_bot_is_refused(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation, bots=[3]))
    assert one.refused("join_room", {"player_id": 3}) == TAKEN


def test_bots_draw_discard_and_claim_but_do_not_roll_or_deal(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation, bots=[1, 2, 3, 4]))
    play_on(simulation, 3)
    assert one.state()["stage"] == "WAITING_PLAYERS"
    one.do("roll_positions")
    one.do("roll_dealer")
    one.do("deal_tiles")
    for _ in range(400):
        play_on(simulation, 2)
        if one.state()["stage"] == "ROUND_OVER":
            break
    assert one.state()["stage"] == "ROUND_OVER"
    play_on(simulation, 2)
    assert one.state()["stage"] == "ROUND_OVER"
    numbers = [event["seq"] for event in one.new_events()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert one.do("next_round")["stage"] in ("DEALING", "GAME_OVER")


def test_free_seats_wait_without_limit_without_timeouts(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    simulation.wait(3_000)
    assert clients[0].state()["stage"] == "WAIT_ACTION"
    assert clients[0].state()["deadline"] is None


def test_with_timeouts_claims_pass_after_8_seconds_and_discards_come_after_20(
    simulation: HallSimulation,
) -> None:
    clients, dealer = four(simulation, timeouts=True)
    state = clients[dealer - 1].state()
    assert state["deadline"] == simulation.now() + 20_000
    simulation.wait(19.5)
    assert clients[0].state()["stage"] == "PLAYER_DISCARD"
    simulation.wait(1)
    state = clients[0].state()
    assert state["stage"] == "WAIT_ACTION"
    (dropped,) = state["players"][f"player{dealer}"]["discards"]
    assert dropped == state["last_discard_tile"]
    assert clients[0].new_events()[-1]["event"]["type"] == "timeout"
    assert state["deadline"] - simulation.now() <= 8_000
    simulation.wait(8)
    assert clients[0].state()["stage"] == "PLAYER_DRAW"


def test_with_timeouts_no_game_or_hand_starts_by_itself(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation, timeouts=True))
    one.state()
    simulation.wait(300)
    assert one.state()["stage"] == "WAITING_PLAYERS"
    assert one.state()["deadline"] is None


def test_a_bot_plays_a_disconnected_seat_after_a_minute_until_the_player_returns(
    simulation: HallSimulation,
) -> None:
    game = start(simulation, seats="token")
    clients = [Mj(simulation, game) for _ in range(4)]
    for player, one in enumerate(clients, 1):
        one.do("join_room", {"player_id": player, "token": token(simulation, game, player)})
    clients[0].do("roll_positions")
    clients[0].do("roll_dealer")
    clients[0].do("deal_tiles")
    arrange(simulation, game, table({}, dealer=1, manual_steps=True, hints=False))
    clients[1].leave()
    play_on(simulation, 59)
    assert clients[0].state()["stage"] == "PLAYER_DISCARD"
    play_on(simulation, 3)
    state = clients[0].state()
    assert state["stage"] == "WAIT_ACTION"
    assert state["last_discard_player_id"] == 2
    for player in (1, 3, 4):
        clients[player - 1].act(player, "pass")
    clients[2].do("draw_tile")
    clients[2].discard(3, hand(clients[2].state(), 3)[0])
    for player in (1, 4):
        clients[player - 1].act(player, "pass")
    play_on(simulation, 2)
    assert clients[0].state()["stage"] != "WAIT_ACTION", "the bot has voted too"
    back = Mj(simulation, game)
    back.do("join_room", {"player_id": 2, "token": token(simulation, game, 2)})
    arrange(simulation, game, table({}, dealer=1, manual_steps=True, hints=False))
    play_on(simulation, 5)
    assert back.state()["stage"] == "PLAYER_DISCARD"


def test_a_game_without_connections_closes_after_ten_minutes(
    simulation: HallSimulation,
) -> None:
    lonely, watched = start(simulation), start(simulation)
    Mj(simulation, watched).state()
    simulation.wait(590)
    assert live_room_of(simulation, lonely).durable.phase is Phase.PLAYING
    simulation.wait(20)
    assert lonely not in simulation.hall.executor.live_rooms
    assert watched in simulation.hall.executor.live_rooms
    assert Mj(simulation, lonely).refused("get_state") == ("game_not_found", "game not found")
