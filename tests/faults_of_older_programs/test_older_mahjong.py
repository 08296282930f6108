"""What another mahjong server got wrong, each shown not to happen here."""

import hashlib
import json
import random
import struct
from collections.abc import Iterator
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

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
from tests.clients.mahjong.mahjong_random_play import answered, choose
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, table, tiles_are_conserved
from tests.support.hall_simulation import HallSimulation

DOCUMENTED = [
    '{"game_id": "$", "type": "roll_positions"}',
    '{"game_id": "$", "type": "roll_dealer"}',
    '{"game_id": "$", "type": "deal_tiles"}',
    '{"game_id": "$", "type": "get_state"}',
    '{"game_id": "$", "type": "get_hands"}',
    '{"game_id": "$", "type": "get_deck_count"}',
]


def five_of_circles(one: Mj, player: int) -> int:
    return next(tile for tile in hand(one.state(), player) if 52 <= tile < 56)


def state_of(simulation: HallSimulation, game: str) -> Any:
    return live_room_of(simulation, game).durable.state


def test_1_the_documented_frames_work_as_documented(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    for frame in DOCUMENTED:
        one.send_frame(frame.replace("$", one.game).encode())
        (answer,) = one.answers()
        assert "error" not in answer, answer
    dealer = answer["data"]["deck_count"] and one.state()["dealer_player_id"]
    tile = one.state()["players"][f"player{dealer}"]["tiles"][0]
    frames = [("discard_tile", {"player_id": dealer, "tile": tile})]
    frames += [
        ("player_action", {"player_id": player, "action": "pass"})
        for player in range(1, 5)
        if player != dealer
    ]
    for kind, data in [*frames, ("draw_tile", None)]:
        assert "error" not in one.ask(kind, data)


def test_2_hands_of_others_are_hidden_until_the_hand_is_over(simulation: HallSimulation) -> None:
    clients, _ = four(simulation)
    spectator = Mj(simulation, clients[0].game)
    for kind in ("get_hands", "get_state"):
        assert all(player["tiles"] == [] for player in spectator.do(kind)["players"].values())
        for player, one in enumerate(clients, 1):
            shown = one.do(kind)["players"]
            assert [other for other in range(1, 5) if shown[f"player{other}"]["tiles"]] == [player]


def test_3_a_player_id_is_checked_and_an_invalid_one_is_refused(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    thief = Mj(simulation, clients[0].game)
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[0])
    others = [player for player in range(1, 5) if player != dealer]
    for player in others:
        data = {"player_id": player, "action": "pass"}
        assert thief.refused("player_action", data)[0] == "seat_taken"
    for invented in (0, 5, 99, -1):
        data = {"player_id": invented, "action": "pass"}
        assert clients[0].refused("player_action", data)[0] == "bad_player"
    assert clients[0].state()["waiting_for"] == others


def test_4_a_tile_is_drawn_only_in_its_stage_and_turn(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    left = clients[0].state()["deck_remaining"]
    for player, one in enumerate(clients, 1):
        assert one.refused("draw_tile", {"player_id": player})[0] == "bad_stage"
    clients[dealer - 1].discard(dealer, hand(clients[dealer - 1].state(), dealer)[0])
    for player, one in enumerate(clients, 1):
        assert one.refused("draw_tile", {"player_id": player})[0] == "bad_stage"
        if player != dealer:
            one.act(player, "pass")
    following = dealer % 4 + 1
    for player, one in enumerate(clients, 1):
        if player != following:
            assert one.refused("draw_tile", {"player_id": player})[0] == "not_your_turn"
    drawn = clients[following - 1].do("draw_tile")
    assert drawn["remaining"] == left - 1 - len(drawn["flowers_drawn"])
    assert drawn["tile"]["id"] in hand(clients[following - 1].state(), following)
    assert clients[following - 1].refused("draw_tile")[0] == "bad_stage"
    tiles_are_conserved(state_of(simulation, clients[0].game))


def test_5_claims_need_the_tiles_in_hand(simulation: HallSimulation) -> None:
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    for action in ("hu", "kong"):
        assert clients[0].refused("player_action", {"player_id": 1, "action": action})[0] == "illegal_action"
    clients[0].discard(1, five_of_circles(clients[0], 1))
    for player, action in (
        (2, "hu"),
        (2, "pong"),
        (2, "kong"),
        (3, "hu"),
        (3, "kong"),
        (3, "chow"),
        (4, "pong"),
    ):
        data = {"player_id": player, "action": action}
        assert clients[player - 1].refused("player_action", data)[0] == "illegal_action"
    clients[1].act(2, "pass")
    clients[3].act(4, "pass")
    clients[2].act(3, "pong")
    (meld,) = clients[0].state()["players"]["player3"]["melds"]
    assert len(meld["tiles"]) == 3
    assert {tile["value"] for tile in meld["tiles"]} == {5}
    assert not {*ids(meld["tiles"])} & {*hand(clients[2].state(), 3)}
    tiles_are_conserved(state_of(simulation, clients[0].game))


def test_6_a_second_winner_is_awaited(simulation: HallSimulation) -> None:
    waits = {0: "1m4m7m2s5s8sEESWNR7p", 1: "56p123m456m789s99s", 2: "56p123m456m123s88s"}
    clients = prepared(simulation, waits, extra="7p")
    clients[0].discard(1, next(each for each in hand(clients[0].state(), 1) if 60 <= each < 64))
    clients[2].act(3, "hu")
    assert clients[0].state()["stage"] == "WAIT_ACTION"
    clients[1].act(2, "hu")
    assert [winner["player_id"] for winner in clients[0].state()["result"]["winners"]] == [2, 3]


def test_7_a_winning_dealer_stays_and_a_round_ends_only_when_complete(simulation: HallSimulation) -> None:
    one = Mj(simulation, start(simulation))
    for kind in ("next_round", "roll_positions", "next_round", "roll_dealer", "next_round", "deal_tiles"):
        assert (one.ask(kind).get("code") == "bad_stage") == (kind == "next_round")
    arrange(simulation, one.game, table({0: "123456789m123p9s"}, extra="9s", manual_steps=True, hints=False))
    assert one.refused("next_round")[0] == "bad_stage"
    one.act(1, "hu")
    answer = one.do("next_round")
    assert (answer["round_code"], answer["dealer_player_id"], answer["dealer_streak"]) == ("1-1", 1, 1)
    assert one.refused("next_round")[0] == "bad_stage"


def test_8_replacement_tiles_are_drawn_and_hands_leave_no_state(simulation: HallSimulation) -> None:
    clients = prepared(simulation, {0: "6666s123m123p9mEE"}, extra="9m", back="f1 9m")
    clients[0].act(1, "kong")
    shown = clients[0].state()["players"]["player1"]
    assert shown["count"] == 11
    assert [tile["type"] for tile in shown["flowers"]] == [5]
    tiles_are_conserved(state_of(simulation, clients[0].game))
    assert clients[0].state()["legal_actions"]["1"] == ["discard", "hu"]
    clients[0].act(1, "hu")
    after = clients[1].do("next_round")["players"]
    assert all(player["melds"] == player["flowers"] == player["discards"] == [] for player in after.values())


def test_9_simultaneous_commands_take_effect_one_by_one(simulation: HallSimulation) -> None:
    chance = random.Random(9)
    clients, _ = four(simulation)
    for _ in range(60):
        states = [one.state() for one in clients]
        if states[0]["stage"] in ("ROUND_OVER", "GAME_OVER"):
            break
        for player, (one, state) in enumerate(zip(clients, states, strict=True), 1):
            # All clients send the same command at once, twice.
            command = choose(state, player, chance)
            for kind, data in [command] * 2 if command is not None else []:
                one.send(kind, data)
        for one in clients:
            done = [answer for answer in one.answers() if "error" not in answer]
            assert len([answer for answer in done if answer["type"] == "discard_tile_response"]) <= 1
            assert len([answer for answer in done if answer["type"] == "draw_tile_response"]) <= 1
        tiles_are_conserved(state_of(simulation, clients[0].game))
        simulation.wait(0.3)
    seqs = [[event["seq"] for event in one.new_events()] for one in clients]
    assert seqs[0] == seqs[1] == seqs[2] == seqs[3] == list(range(seqs[0][0], seqs[0][-1] + 1))


def test_10_game_ids_are_not_time_stamps(simulation: HallSimulation) -> None:
    games = [start(simulation) for _ in range(20)]
    assert len(set(games)) == 20
    assert not any(any(part.isdigit() and len(part) > 9 for part in game.split("_")) for game in games)


def test_11_clients_receive_only_their_own_replies(simulation: HallSimulation) -> None:
    clients, _ = four(simulation)
    outsider = Mj(simulation)
    before = [len(one.transport.frames) for one in clients]
    for frame in (
        {"client_id": "1", "type": "get_hands", "game_id": clients[0].game},
        {"type": "broadcast", "data": "x", "game_id": clients[0].game},
        {"type": "register", "client_id": clients[0].game, "data": {"client_id": "1"}},
        "anything at all",
    ):
        outsider.send_frame(json.dumps(frame).encode())
    received = outsider.received()
    assert len(received) == 4
    assert all(player["tiles"] == [] for player in received[0]["data"]["players"].values())
    assert [len(one.transport.frames) for one in clients] == before


def test_12_the_wall_is_shuffled_without_bias_and_verifiable(simulation: HallSimulation) -> None:
    chance = random.Random(12)
    one, dealt = single(simulation)
    while (state := one.state())["stage"] != "ROUND_OVER":
        for player in (1, 2, 3, 4):
            command = choose(one.state(), player, chance)
            if command is not None:
                answer = one.ask(*command)
                if (again := answered(command, answer, chance)) is not None:
                    one.ask(*again)
        simulation.wait(1)
    proof = one.do("verify_wall")
    seed = bytes.fromhex(proof["seed"])
    assert hashlib.sha256(seed).hexdigest() == dealt["commitment"] == state["commitment"]
    words = keystream(seed)
    wall = list(range(144))
    for last in range(143, 0, -1):
        span = last + 1
        while (word := next(words)) >= 2**32 // span * span:
            pass
        other = word % span
        wall[last], wall[other] = wall[other], wall[last]
    assert proof["wall"] == wall


def keystream(seed: bytes) -> Iterator[int]:
    """Yield ChaCha20 words: zero nonce and counter, 32 bits, the low byte first."""
    cipher = Cipher(ChaCha20(seed, bytes(16)), mode=None).encryptor()
    while True:
        yield from struct.unpack("<16I", cipher.update(bytes(64)))
