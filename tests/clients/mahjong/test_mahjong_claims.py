"""Claims of the mahjong dialect: answers, legal claims, kongs, and one or two winners."""

from msgspec.structs import replace

from tests.clients.mahjong.mahjong_clients import arrange, hand, ids, prepared
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, added_kong
from tests.support.hall_simulation import HallSimulation


def test_a_pong_takes_the_discard_and_the_turn(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    tile = clients[0].state()["players"]["player1"]["tiles"][4]["id"]
    tile = next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56)
    clients[0].discard(1, tile)
    assert clients[1].state()["legal_actions"] == {"2": ["pass", "chow"]}
    assert clients[2].state()["legal_actions"] == {"3": ["pass", "pong"]}
    clients[1].act(2, "chow")
    clients[3].act(4, "pass")
    answer = clients[2].act(3, "pong")
    assert answer == {"game_id": clients[0].game, "stage": "PLAYER_DISCARD", "current_player_id": 3}
    (meld,) = clients[0].state()["players"]["player3"]["melds"]
    assert (meld["type"], meld["from"]) == (2, 1)
    assert tile in ids(meld["tiles"])
    (dropped,) = clients[0].state()["players"]["player1"]["discards"]
    assert (dropped["id"], dropped["claimed_by"]) == (tile, 3)
    assert clients[0].new_events()[-1]["event"] == {
        "type": "player_action",
        "player_id": 3,
        "then": [{"type": "player_action", "player_id": 3, "action": "pong"}],
    }
    code, _ = clients[2].refused("discard_tile", {"player_id": 3, "tile": {"id": tile}})
    assert code == "tile_not_in_hand"


def test_a_claim_can_be_changed_until_the_window_closes(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    clients[2].act(3, "pong")
    clients[2].act(3, "pass")
    clients[3].act(4, "pass")
    assert clients[1].act(2, "chow")["current_player_id"] == 2


def test_only_legal_claims_are_accepted(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    for player, action in (
        (2, "pong"),
        (2, "kong"),
        (2, "hu"),
        (3, "chow"),
        (3, "hu"),
        (4, "chow"),
        (4, "kong"),
    ):
        data = {"player_id": player, "action": action}
        assert clients[player - 1].refused("player_action", data)[0] == "illegal_action"
    data = {"player_id": 2, "action": "win"}
    assert clients[1].refused("player_action", data)[0] == "bad_action"
    assert clients[0].state()["waiting_for"] == [2, 3, 4]


def test_a_chow_names_its_tiles_where_there_is_a_choice(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {0: "19m19s19pESWNRG", 1: "3467p19m19sESWNR"}, extra="5p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 52 <= each < 56))
    answer = clients[1].ask("player_action", {"player_id": 2, "action": "chow"})
    assert answer["code"] == "choice_needed"
    options = [[tile["value"] for tile in option] for option in answer["options"]]
    assert options == [[3, 4], [4, 6], [6, 7]]
    for tiles in ([1], [1, 1], [1, 2, 3], "12", [1, "2"], [1, 2.0], None, [0, 999]):
        code, _ = clients[1].refused("player_action", {"player_id": 2, "action": "chow", "tiles": tiles})
        assert code in ("bad_tile", "choice_needed"), tiles
    theirs = ids(answer["options"][0])
    code, _ = clients[1].refused("player_action", {"player_id": 2, "action": "chow", "tiles": [0, 1]})
    assert code == "illegal_action"
    clients[1].act(2, "chow", tiles=[answer["options"][0][0], theirs[1]])
    clients[2].act(3, "pass")
    assert clients[3].act(4, "pass")["current_player_id"] == 2
    (meld,) = clients[3].state()["players"]["player2"]["melds"]
    assert meld["type"] == 1
    assert [tile["value"] for tile in meld["tiles"]] == [3, 4, 5]


def test_two_winners_of_one_discard_are_both_awaited_and_paid(simulation: HallSimulation) -> None:
    waits = {0: "1m4m7m2s5s8sEESWNR7p", 1: "56p123m456m789s99s", 2: "56p123m456m123s88s"}
    clients = prepared(simulation, waits, extra="7p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 60 <= each < 64))
    answer = clients[1].act(2, "hu")
    assert answer["stage"] == "WAIT_ACTION"
    assert clients[2].act(3, "hu")["stage"] == "ROUND_OVER"
    result = clients[3].state()["result"]
    assert list(result) == ["type", "winners", "payer", "delta", "scores"]
    assert (result["type"], result["payer"]) == ("hu", 1)
    assert [winner["player_id"] for winner in result["winners"]] == [2, 3]
    assert list(result["winners"][0]) == ["player_id", "tai", "patterns", "hand", "win", "self_drawn"]
    assert result["winners"][0]["tai"] == sum(result["winners"][0]["patterns"].values())
    assert result["delta"]["1"] == -result["delta"]["2"] - result["delta"]["3"]
    assert result["scores"] == result["delta"]


def test_an_added_kong_opens_a_window_in_which_only_a_win_counts(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {})
    state = added_kong()
    options = replace(state.options, manual_steps=True, hints=False)
    arrange(simulation, clients[0].game, replace(state, options=options))
    shown = clients[1].state()
    assert shown["legal_actions"] == {"2": ["discard", "kong"]}
    (mine,) = (
        tile for tile in shown["players"]["player2"]["tiles"] if (tile["type"], tile["value"]) == (2, 6)
    )
    answer = clients[1].act(2, "kong", tile=mine)
    assert answer["stage"] == "WAIT_ACTION"
    assert clients[3].state()["window"] == "rob_kong"
    assert clients[3].state()["legal_actions"] == {"4": ["pass", "hu"]}
    assert clients[2].state()["legal_actions"] == {"3": ["pass"]}
    assert clients[1].refused("player_action", {"player_id": 2, "action": "pass"})[0] == "own_discard"
    assert clients[3].act(4, "hu")["stage"] == "ROUND_OVER"
    result = clients[0].state()["result"]
    assert "搶槓" in result["winners"][0]["patterns"]
    assert result["payer"] == 2


def test_a_concealed_kong_is_visible_to_its_owner_only_until_the_hand_is_over(
    simulation: HallSimulation,
) -> None:
    clients = prepared(simulation, {0: "6666s123m123p99mE"}, extra="9m", back="9m")
    answer = clients[0].act(1, "kong")
    assert (answer["stage"], answer["current_player_id"]) == ("PLAYER_DISCARD", 1)
    (mine,) = clients[0].state()["players"]["player1"]["melds"]
    assert [tile["value"] for tile in mine["tiles"]] == [6] * 4
    (theirs,) = clients[1].state()["players"]["player1"]["melds"]
    assert theirs == {"type": 4, "tiles": [], "from": None}
    assert clients[1].new_events()[-1]["event"]["action"] == "kong"


def test_a_self_drawn_win_ends_the_hand(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {0: "123456789m123p9s"}, extra="9s")
    assert clients[0].state()["legal_actions"]["1"] == ["discard", "hu"]
    assert clients[0].act(1, "hu")["stage"] == "ROUND_OVER"
    state = clients[3].state()
    assert state["result"]["winners"][0]["self_drawn"]
    assert state["result"]["payer"] is None
    assert clients[3].new_events()[-1]["event"]["action"] == "hu"
