"""Seats in the mahjong dialect: open seats and token seats."""

from typing import Any

from tests.clients.mahjong.mahjong_clients import Mj, arrange, four, hand, live_room_of, single, start, token
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, table
from tests.support.hall_simulation import HallSimulation

TAKEN = ("seat_taken", "seat is taken")


# Open seats


def test_a_free_seat_can_be_taken_without_acting(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    answer = one.ask("join_room", {"player_id": 2})
    assert answer["data"]["seats"] == [2]
    assert one.new_events()[-1]["event"] == {"type": "join_room", "player_id": 2}
    assert one.do("join_room", {"player_id": 2})["seats"] == [2]
    assert one.do("join_room", {"player_id": 4})["seats"] == [2, 4]


def test_another_connection_is_refused_a_held_seat(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    thief = Mj(simulation, clients[0].game)
    tile = hand(clients[dealer - 1].state(), dealer)[0]
    assert thief.refused("join_room", {"player_id": dealer}) == TAKEN
    assert thief.refused("discard_tile", {"player_id": dealer, "tile": {"id": tile}}) == TAKEN
    assert thief.refused("draw_tile", {"player_id": dealer}) == TAKEN
    assert thief.state()["legal_actions"] == {}
    other = dealer % 4 + 1
    assert clients[other - 1].refused("discard_tile", {"player_id": dealer, "tile": {"id": tile}}) == TAKEN


def test_the_first_accepted_action_for_a_seat_takes_it(simulation: HallSimulation) -> None:
    owner = Mj(simulation, start(simulation))
    owner.do("roll_positions")
    owner.do("roll_dealer")
    spectator, other = Mj(simulation, owner.game), Mj(simulation, owner.game)
    spectator.do("join_room", {"player_id": 4})
    dealer = owner.do("deal_tiles")["current_player_id"]
    assert owner.state()["legal_actions"] == {}, "somebody had a seat already"
    state: Any = live_room_of(simulation, owner.game).durable.state
    tiles = state.seat_tiles[dealer - 1].tiles
    wrong = next(tile for tile in range(144) if tile not in tiles)
    before = live_room_of(simulation, owner.game).durable
    if dealer != 4:
        data = {"player_id": dealer, "tile": {"id": wrong}}
        assert other.refused("discard_tile", data)[0] == "tile_not_in_hand"
        assert live_room_of(simulation, owner.game).durable is before
        other.discard(dealer, tiles[0])
        assert list(other.state()["legal_actions"]) == [str(dealer)]
        assert owner.refused("join_room", {"player_id": dealer}) == TAKEN
        assert spectator.new_events()[-1]["event"]["type"] == "discard_tile"


def test_an_action_out_of_turn_does_not_take_a_free_seat(simulation: HallSimulation) -> None:
    owner = Mj(simulation, start(simulation))
    owner.do("join_room", {"player_id": 1})
    owner.do("roll_positions")
    dealer = owner.do("roll_dealer")["dealer_player_id"]
    owner.do("deal_tiles")
    other = dealer % 4 + 1
    version = live_room_of(simulation, owner.game).durable.version
    asker = Mj(simulation, owner.game)
    if other != 1:
        code, text = asker.refused("discard_tile", {"player_id": other, "tile": {"id": 5}})
        assert (code, text) == ("not_your_turn", f"not your turn to discard, current player is {dealer}")
    assert live_room_of(simulation, owner.game).durable.version == version


def test_a_single_client_that_deals_holds_all_seats_without_bots(simulation: HallSimulation) -> None:
    one, dealt = single(simulation)
    assert list(one.state()["legal_actions"]) == ["1", "2", "3", "4"]
    assert all(len(player["tiles"]) >= 13 for player in dealt["players"].values())
    with_bots, dealt = single(simulation, bots=[2, 4])
    assert list(with_bots.state()["legal_actions"]) == ["1", "3"]
    assert dealt["players"]["player2"]["tiles"] == []


def test_a_single_client_regains_all_seats_with_the_next_deal_after_a_minute(
    simulation: HallSimulation,
) -> None:
    one = Mj(simulation, start(simulation))
    for player in (1, 2, 3, 4):
        one.do("join_room", {"player_id": player})
    one.do("roll_positions")
    one.do("roll_dealer")
    one.leave()
    simulation.wait(61)
    again = Mj(simulation, one.game)
    again.do("deal_tiles")
    assert list(again.state()["legal_actions"]) == ["1", "2", "3", "4"]


def test_the_reply_comes_before_the_events_of_taken_seats(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    one.do("roll_positions")
    one.do("roll_dealer")
    one.received()
    one.send("deal_tiles")
    received = one.received()
    assert [message["type"] for message in received] == ["deal_tiles_response", *["event"] * 5]
    numbers = [message["seq"] for message in received[1:]]
    assert numbers == list(range(numbers[0], numbers[0] + 5))


def test_any_connection_of_an_open_game_may_roll_and_deal(simulation: HallSimulation) -> None:
    game = start(simulation)
    holder = Mj(simulation, game)
    holder.do("join_room", {"player_id": 1})
    Mj(simulation, game).do("roll_positions")
    Mj(simulation, game).do("roll_dealer")
    guest = Mj(simulation, game)
    assert guest.do("deal_tiles")["players"]["player1"]["tiles"] == []
    assert guest.state()["legal_actions"] == {}
    assert [event["event"]["type"] for event in holder.new_events()] == [
        "join_room", "roll_positions", "roll_dealer", "deal_tiles",
    ]  # fmt: skip


def test_a_seat_is_free_a_minute_after_its_player_disconnected(simulation: HallSimulation) -> None:
    clients, _ = four(simulation)
    heir = Mj(simulation, clients[0].game)
    clients[1].leave()
    simulation.wait(59)
    assert heir.refused("join_room", {"player_id": 2}) == TAKEN
    assert clients[0].new_events()[-1]["event"] == {"type": "player_away", "player_id": 2}
    simulation.wait(1.5)
    assert heir.do("join_room", {"player_id": 2})["seats"] == [2]
    assert len(hand(heir.state(), 2)) >= 13


def test_a_chow_without_a_choice_takes_the_seat_and_is_played(simulation: HallSimulation) -> None:
    game = start(simulation)
    owner, other = Mj(simulation, game), Mj(simulation, game)
    owner.do("join_room", {"player_id": 1})
    owner.do("roll_positions")
    owner.do("roll_dealer")
    owner.do("deal_tiles")
    arrange(simulation, game, table(THREE_WANT_5P, extra="5p", manual_steps=True, hints=False))
    owner.discard(1, next(each for each in hand(owner.state(), 1) if 52 <= each < 56))
    assert other.act(2, "chow")["waiting_for"] == [3, 4]
    assert other.state()["legal_actions"] == {"2": ["pass", "chow"]}


def test_of_two_simultaneous_joins_for_a_seat_one_takes_it(simulation: HallSimulation) -> None:
    game = start(simulation)
    rivals = [Mj(simulation, game) for _ in range(2)]
    for one in rivals:
        one.state()
    for one in rivals:
        one.send("join_room", {"player_id": 3})
        one.send("roll_positions")
        one.send("roll_dealer")
    received = [one.answers() for one in rivals]
    assert sorted(answers[0].get("code", "") for answers in received) == ["", "seat_taken"]
    numbers = [[event["seq"] for event in one.new_events()] for one in rivals]
    assert numbers == [[1, 2, 3]] * 2


def test_of_two_single_clients_that_deal_at_the_same_time_one_holds_all_seats(
    simulation: HallSimulation,
) -> None:
    game = start(simulation)
    rivals = [Mj(simulation, game) for _ in range(2)]
    rivals[0].do("roll_positions")
    rivals[0].do("roll_dealer")
    rivals[1].state()
    for one in rivals:
        one.new_events()
    for one in rivals:
        one.send("deal_tiles")
    received = [one.answers()[0] for one in rivals]
    assert [answer.get("code") for answer in received] == [None, "bad_stage"]
    assert [list(one.state()["legal_actions"]) for one in rivals] == [["1", "2", "3", "4"], []]
    assert [[event["seq"] for event in one.new_events()] for one in rivals] == [[3, 4, 5, 6, 7]] * 2


# Tokens


def test_a_token_seat_needs_the_right_token(simulation: HallSimulation) -> None:
    game = start(simulation, seats="token")
    one = Mj(simulation, game)
    bad: list[Any] = [
        None,
        "",
        "x",
        5,
        token(simulation, game, 1),
        token(simulation, "majiang_other", 2),
        "é",
        "x" * 500,
    ]
    for wrong in bad:
        data = {"player_id": 2, "token": wrong}
        assert one.refused("join_room", data)[0] == "bad_token", wrong
    assert one.refused("join_room", {"player_id": 2})[0] == "bad_token"
    assert one.do("join_room", {"player_id": 2, "token": token(simulation, game, 2)})["seats"] == [2]


def test_without_a_token_seat_only_read_requests_are_answered(simulation: HallSimulation) -> None:
    game = start(simulation, seats="token")
    spectator, player = Mj(simulation, game), Mj(simulation, game)
    player.do("join_room", {"player_id": 1, "token": token(simulation, game, 1)})
    for kind in ("roll_positions", "roll_dealer", "deal_tiles", "next_round", "draw_tile"):
        assert spectator.refused(kind)[0] == "not_seated"
    data = {"player_id": 2, "tile": {"id": 4}, "action": "pass"}
    for kind in ("discard_tile", "player_action", "draw_tile"):
        assert spectator.refused(kind, data)[0] == "not_seated"
        assert player.refused(kind, data)[0] == "not_seated", "the seat is checked before the turn"
    for kind in ("get_state", "get_hands", "get_deck_count"):
        spectator.do(kind)
    player.do("roll_positions")
    player.do("roll_dealer")
    assert player.do("deal_tiles")["players"]["player2"]["tiles"] == []
    assert [event["event"]["type"] for event in spectator.new_events()][-1] == "deal_tiles"


def test_a_token_regains_its_seat_at_once(simulation: HallSimulation) -> None:
    game = start(simulation, seats="token")
    clients = [Mj(simulation, game) for _ in range(4)]
    for player, one in enumerate(clients, 1):
        one.do("join_room", {"player_id": player, "token": token(simulation, game, player)})
    clients[0].do("roll_positions")
    clients[0].do("roll_dealer")
    clients[0].do("deal_tiles")
    mine = hand(clients[2].state(), 3)
    clients[2].leave()
    simulation.wait(10)
    back = Mj(simulation, game)
    assert back.do("join_room", {"player_id": 3, "token": token(simulation, game, 3)})["seats"] == [3]
    assert hand(back.state(), 3) == mine
    assert clients[0].new_events()[-1]["event"] == {"type": "player_back", "player_id": 3}
    newer = Mj(simulation, game)
    assert newer.do("join_room", {"player_id": 3, "token": token(simulation, game, 3)})["seats"] == [3]
    assert back.state()["legal_actions"] == {}, "a new socket takes its seat over"
    assert hand(back.state(), 3) == []
    assert hand(newer.state(), 3) == mine
