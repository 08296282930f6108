"""The commands of the mahjong dialect in order: their replies and events."""

from typing import Any

import pytest

from qipai.games.mahjong.wall import wall_of
from tests.clients.mahjong.mahjong_clients import (
    Mj,
    arrange,
    four,
    hand,
    ids,
    live_room_of,
    prepared,
    single,
    start,
)
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, table
from tests.support.hall_simulation import HallSimulation

STATE = [
    "game_id", "stage", "round", "round_code", "round_number", "current_player_id", "dealer_player_id",
    "dealer_player", "dealer_streak", "dice", "is_started", "is_finished", "deck_remaining",
    "last_discard_tile", "last_discard_player_id", "players", "waiting_for", "legal_actions", "window",
    "deadline", "seq", "commitment",
]  # fmt: skip
PLAYER = ["count", "tiles", "tile_names", "melds", "flowers", "discards", "score"]


def test_a_game_starts_in_the_documented_order_with_the_documented_replies(
    simulation: HallSimulation,
) -> None:
    one = Mj(simulation, start(simulation))
    state = one.state()
    assert list(state) == STATE
    assert (state["stage"], state["round"], state["round_code"], state["round_number"]) == (
        "WAITING_PLAYERS",
        "東風東",
        "1-1",
        1,
    )
    assert (state["is_started"], state["is_finished"], state["dice"], state["seq"]) == (False, False, None, 0)
    answer = one.ask("roll_positions")
    assert (answer["message"], list(answer["data"])) == ("座位決定完成", ["game_id", "dice", "stage"])
    assert answer["data"]["stage"] == "DETERMINE_DEALER"
    answer = one.ask("roll_dealer")
    dice = answer["data"]["dice"]
    assert answer["message"] == "莊家決定完成"
    assert list(answer["data"]) == ["game_id", "dice", "dealer_player_id", "stage"]
    assert list(dice) == ["die1", "die2", "total"]
    assert dice["total"] == dice["die1"] + dice["die2"]
    assert answer["data"]["dealer_player_id"] == (dice["total"] % 4 or 4)
    assert answer["data"]["stage"] == "DEALING"
    answer = one.ask("deal_tiles")
    assert answer["message"] == "發牌完成，已理牌"
    assert list(answer["data"]) == [
        "game_id", "deck_remaining", "players", "stage", "current_player_id", "commitment",
    ]  # fmt: skip
    assert answer["data"]["stage"] == "PLAYER_DISCARD"
    assert answer["data"]["current_player_id"] == (dice["total"] % 4 or 4)
    assert list(answer["data"]["players"]["player1"]) == PLAYER


@pytest.mark.parametrize(("kind", "size", "dice"), [(13, 13, 2), (16, 16, 3)])
def test_the_deal_gives_sorted_hands_and_the_dealer_one_more_tile(
    simulation: HallSimulation, kind: int, size: int, dice: int
) -> None:
    one, dealt = single(simulation, game_type=kind)
    dealer = dealt["current_player_id"]
    shown = 0
    for player in range(1, 5):
        tiles = hand(dealt, player)
        assert len(tiles) == dealt["players"][f"player{player}"]["count"] == size + (player == dealer)
        assert tiles == sorted(tiles)
        assert max(tiles) < 136
        shown += len(tiles) + len(dealt["players"][f"player{player}"]["flowers"])
    assert dealt["deck_remaining"] == 144 - shown
    assert len(one.state()["dice"]) == dice + 1


def test_with_kept_flowers_flowers_stay_in_the_hand_and_may_be_discarded(simulation: HallSimulation) -> None:
    one, dealt = single(simulation, flowers="keep")
    assert dealt["deck_remaining"] == 144 - 53
    assert all(player["flowers"] == [] for player in dealt["players"].values())
    state = table({0: "123456789m1234p"}, extra="f1", manual_steps=True, hints=False, flowers="keep")
    arrange(simulation, one.game, state)
    assert one.discard(1, 136)["last_discard_tile"] == {"id": 136, "type": 5, "value": 1}
    assert one.state()["legal_actions"] == {"1": [], "2": ["pass"], "3": ["pass"], "4": ["pass"]}


def test_a_discard_is_replied_reported_and_opens_a_claim_window(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    mover = clients[dealer - 1]
    tile = mover.state()["players"][f"player{dealer}"]["tiles"][0]
    answer = mover.ask("discard_tile", {"player_id": dealer, "tile": tile})
    assert answer["message"] == "出牌成功，等待其他玩家動作"
    assert answer["data"] == {
        "game_id": mover.game,
        "stage": "WAIT_ACTION",
        "last_discard_tile": tile,
        "last_discard_player_id": dealer,
    }
    others = [player for player in range(1, 5) if player != dealer]
    for player, one in enumerate(clients, 1):
        (event,) = one.new_events()
        assert list(event) == ["type", "seq", "event", "data"]
        assert event["event"]["type"] == "discard_tile"
        assert event["event"]["tile"] == tile
        assert event["data"]["waiting_for"] == others
        assert event["data"]["players"][f"player{dealer}"]["discards"] == [tile]
        assert list(event["data"]["legal_actions"]) == [str(player)]


def test_when_all_pass_the_next_player_draws_by_command(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[0])
    following = dealer % 4 + 1
    others = [player for player in range(1, 5) if player != dealer]
    for player in others[:2]:
        answer = clients[player - 1].act(player, "pass")
        assert list(answer) == ["game_id", "stage", "current_player_id", "waiting_for"]
        assert player not in answer["waiting_for"]
    answer = clients[others[2] - 1].act(others[2], "pass")
    assert answer == {"game_id": clients[0].game, "stage": "PLAYER_DRAW", "current_player_id": following}
    before = clients[0].do("get_deck_count")["deck_count"]
    drawn = clients[following - 1].ask("draw_tile")
    assert drawn["message"] == "摸牌成功"
    data = drawn["data"]
    assert list(data) == [
        "game_id", "tile", "tile_name", "remaining", "flowers_drawn", "stage", "current_player_id",
    ]  # fmt: skip
    assert data["remaining"] == before - 1 - len(data["flowers_drawn"])
    assert (data["stage"], data["current_player_id"]) == ("PLAYER_DISCARD", following)
    assert data["tile"]["id"] in hand(clients[following - 1].state(), following)
    event = clients[dealer - 1].new_events()[-1]["event"]
    assert event["type"] == "draw_tile"
    assert "tile" not in event


def test_every_stage_refuses_commands_of_other_stages_and_names_itself(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    commands: dict[str, dict[str, Any] | None] = {
        "roll_positions": None,
        "roll_dealer": None,
        "deal_tiles": None,
        "discard_tile": {"player_id": 1, "tile": {"id": 3}},
        "player_action": {"player_id": 1, "action": "pass"},
        "draw_tile": {"player_id": 1},
        "next_round": None,
        "verify_wall": None,
    }

    def all_but(*allowed: str) -> None:
        at = one.state()["stage"]
        for kind, data in commands.items():
            if kind not in allowed:
                text = f"action not allowed in current stage: {at}"
                assert one.refused(kind, data) == ("bad_stage", text), kind

    all_but("roll_positions")
    one.do("roll_positions")
    all_but("roll_dealer")
    one.do("roll_dealer")
    all_but("deal_tiles")
    one.do("deal_tiles")
    simulation.wait(1)
    all_but("discard_tile")
    dealer = one.state()["current_player_id"]
    one.discard(dealer, hand(one.state(), dealer)[0])
    all_but("player_action")
    simulation.wait(1)
    one.passes(*(player for player in range(1, 5) if player != dealer))
    all_but("draw_tile")
    assert one.events == [] or one.events[-1]["data"]["stage"] == "PLAYER_DRAW"


def test_turn_and_hand_are_checked(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    other = dealer % 4 + 1
    tiles = hand(clients[other - 1].state(), other)
    text = f"not your turn to discard, current player is {dealer}"
    data = {"player_id": other, "tile": {"id": tiles[0]}}
    assert clients[other - 1].refused("discard_tile", data) == ("not_your_turn", text)
    data = {"player_id": dealer, "tile": {"id": tiles[0]}}
    text = "failed to discard tile: tile not found in player hand"
    assert clients[dealer - 1].refused("discard_tile", data) == ("tile_not_in_hand", text)
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[0])
    data = {"player_id": dealer, "action": "pong"}
    text = "cannot declare action on your own discard"
    assert clients[dealer - 1].refused("player_action", data) == ("own_discard", text)


def test_a_tile_is_named_by_its_id_and_must_match_its_fields(simulation: HallSimulation) -> None:
    one, dealt = single(simulation)
    dealer = dealt["current_player_id"]
    tile = dealt["players"][f"player{dealer}"]["tiles"][0]
    bad: list[Any] = [
        None, {}, {"id": "1"}, {"id": True}, {"id": 144}, {"id": -1}, {"id": 1.5}, [], "1", True,
        {**tile, "type": (tile["type"] + 1) % 3}, {**tile, "value": tile["value"] + 1},
        {**tile, "type": None},
    ]  # fmt: skip
    for wrong in bad:
        assert one.refused("discard_tile", {"player_id": dealer, "tile": wrong})[0] == "bad_tile", wrong
    assert one.do("discard_tile", {"player_id": dealer, "tile": tile["id"]})["last_discard_tile"] == tile


# Between hands


def test_the_dealer_stays_after_winning_and_changes_otherwise(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {0: "123456789m123p9s"}, extra="9s")
    clients[0].act(1, "hu")
    answer = clients[1].ask("next_round")
    assert list(answer["data"]) == [
        "game_id", "round", "round_code", "round_number", "dealer_player_id", "dealer_player",
        "dealer_streak", "deck_remaining", "players", "stage", "finished",
    ]  # fmt: skip
    data = answer["data"]
    assert (data["round_code"], data["dealer_player_id"], data["dealer_streak"]) == ("1-1", 1, 1)
    assert (data["stage"], data["finished"], data["deck_remaining"]) == ("DEALING", False, 144)
    assert all(player["melds"] == player["tiles"] == [] for player in data["players"].values())
    assert clients[0].do("deal_tiles")["current_player_id"] == 1
    arrange(simulation, clients[0].game, table(THREE_WANT_5P, extra="5p", manual_steps=True, hints=False))
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    clients[3].act(4, "hu")
    data = clients[1].do("next_round")
    assert (data["round"], data["round_code"], data["round_number"]) == ("東風南", "1-2", 2)
    assert (data["dealer_player_id"], data["dealer_player"], data["dealer_streak"]) == (2, "player2", 0)


def test_the_game_is_over_when_the_deal_passes_at_four_four(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p", place=15)
    assert clients[0].state()["round"] == "北風北"
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    clients[3].act(4, "hu")
    answer = clients[2].ask("next_round")
    assert answer["message"] == "一將結束（北風北已完成）"
    assert (answer["data"]["finished"], answer["data"]["stage"]) == (True, "GAME_OVER")
    state = clients[0].state()
    assert (state["stage"], state["is_finished"]) == ("GAME_OVER", True)
    assert state["result"]["winners"][0]["player_id"] == 4
    assert clients[0].refused("next_round") == (
        "bad_stage",
        "action not allowed in current stage: GAME_OVER",
    )
    assert clients[0].new_events()[-1]["event"] == {"type": "next_round", "finished": True}
    assert list(clients[1].do("verify_wall")) == ["game_id", "seed", "wall", "commitment"]


def test_an_empty_wall_ends_the_hand_without_a_winner(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {}, left=0)
    clients[0].discard(1, hand(clients[0].state(), 1)[0])
    for player in (2, 3, 4):
        clients[player - 1].act(player, "pass")
    answer = clients[1].do("draw_tile", {"player_id": 2})
    assert (answer["tile"], answer["tile_name"], answer["stage"]) == (None, None, "ROUND_OVER")
    assert clients[0].state()["result"]["type"] == "draw"
    data = clients[0].do("next_round")
    assert (data["round_code"], data["dealer_player_id"], data["dealer_streak"]) == ("1-1", 1, 1)


def test_the_wall_follows_from_the_seed_that_was_committed_to(simulation: HallSimulation) -> None:
    one, dealt = single(simulation)
    live_room = live_room_of(simulation, one.game)
    while live_room.durable.state is not None and live_room.durable.state.stage != "hand_over":
        state = one.state()
        simulation.wait(0.2)
        if state["stage"] == "WAIT_ACTION":
            one.passes(*state["waiting_for"])
        elif state["stage"] == "PLAYER_DRAW":
            one.do("draw_tile")
        else:
            player = state["current_player_id"]
            one.discard(player, hand(state, player)[0])
    proof = one.do("verify_wall")
    assert proof["commitment"] == dealt["commitment"]
    assert tuple(proof["wall"]) == wall_of(bytes.fromhex(proof["seed"]))


def test_hands_and_counts_may_be_asked_for_at_any_time(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    spectator = Mj(simulation, clients[0].game)
    hands = spectator.do("get_hands")
    assert list(hands) == ["game_id", "deck_remaining", "players"]
    assert [(player["count"], player["tiles"]) for player in hands["players"].values()] == [
        (13 + (player == dealer), []) for player in range(1, 5)
    ]
    assert spectator.do("get_deck_count") == {
        "game_id": spectator.game,
        "deck_count": hands["deck_remaining"],
    }
    assert hand(clients[2].do("get_hands"), 3) != []
    mine = clients[2].do("sort_hand", {"player_id": 3})
    assert ids(mine["tiles"]) == sorted(ids(mine["tiles"]))
    assert clients[2].refused("sort_hand", {"player_id": 1})[0] == "not_seated"
    assert spectator.refused("sort_hand")[0] == "not_seated"
