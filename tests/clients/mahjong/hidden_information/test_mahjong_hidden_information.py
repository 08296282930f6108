"""Two states that differ only in hidden information give a client the same frames, with and without bots."""

import random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.state import State
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from tests.clients.mahjong.hidden_information.mahjong_visibility import Reader, look
from tests.clients.mahjong.mahjong_clients import Message, Mj, arrange, hand, live_room_of, play_on, start
from tests.clients.mahjong.mahjong_random_play import action_of, answered, choose
from tests.games.mahjong.mahjong_twins import scramble
from tests.games.mahjong.mahjong_walls import SEVEN, table
from tests.support.hall_simulation import HallSimulation

HOUSE = {
    "orphans_rob_concealed": True,
    "declare_ting": True,
    "passed_hu": "until_change",
    "passed_pong": True,
}
BODIES: list[Message] = [
    {"bots": [2, 4]},
    {"bots": [1, 2, 3]},
    {"bots": [3], "rules": HOUSE},
    {"bots": [2], "game_type": 16, "rules": {"several_winners": False, "no_swap_call": True}},
    {"bots": [4], "flowers": "keep"},
    {},
]
QUESTIONS = ("get_state", "get_hands", "get_deck_count", "verify_wall", "sort_hand")
TRIES = ("hu", "kong", "pong", "chow", "pass", "zzz")


def seated(simulation: HallSimulation, body: Message) -> tuple[dict[int, Mj], Mj]:
    """Return the clients of a game just dealt, and a spectator."""
    game = start(simulation, **body)
    clients = {player: Mj(simulation, game) for player in range(1, 5) if player not in body.get("bots", [])}
    for player, one in clients.items():
        one.do("join_room", {"player_id": player})
    spectator = Mj(simulation, game)
    for kind in ("roll_positions", "roll_dealer", "deal_tiles"):
        spectator.do(kind)
    return clients, spectator


def asked(one: Mj, player: int | None, legal: list[str]) -> list[Message]:
    """Return what a client receives for every read request and every refused command."""
    received = [one.ask(kind) for kind in QUESTIONS]
    if player is not None:
        received += [one.ask(*action_of(action, player)) for action in TRIES if action not in legal]
        received.append(one.ask("discard_tile", {"player_id": player, "tile": 300}))
    one.simulation.wait(1)
    return received


def compare(simulation: HallSimulation, viewers: list[tuple[Mj, int | None]], chance: random.Random) -> int:
    """Compare what each viewer receives of the state and of a twin; return how many twins differed."""
    game, changed = viewers[0][0].game, 0
    # No bot thinks about a twin.
    simulation.finish_bot_decisions()
    for one, player in viewers:
        state = cast("State", live_room_of(simulation, game).durable.state)
        seat = SPECTATOR if player is None else Seat(player - 1)
        twin = scramble(state, seat, Random(chance.randbytes(32)), keep=())
        changed += twin != state
        legal = one.state()["legal_actions"].get(str(player), [])
        before = asked(one, player, legal)
        put(simulation, game, twin)
        try:
            assert asked(one, player, legal) == before
        finally:
            put(simulation, game, state)
    return changed


def put(simulation: HallSimulation, game: str, state: State) -> None:
    """Put a state into the room without waking bots, and send it to everybody."""
    arrange(simulation, game, replace(state, seating=state.seating or (1, 2)))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: "-".join(map(str, body.get("bots", ["nobody"]))))
def test_frames_do_not_depend_on_what_is_hidden_from_the_receiver(body: Message) -> None:
    chance = random.Random(7)
    # Bots that take their time: nobody acts while a twin is on the table.
    with HallSimulation(bot_pause=600_000) as simulation:
        clients, spectator = seated(simulation, body)
        readers = {player: Reader(simulation, one, player) for player, one in clients.items()}
        watching = Reader(simulation, spectator)
        viewers: list[tuple[Mj, int | None]] = [*((one, player) for player, one in clients.items())]
        viewers.append((spectator, None))
        for reader in (*readers.values(), watching):
            reader.state = reader.one.state()
        changed = steps = 0
        while steps < 60 and watching.state["stage"] != "ROUND_OVER":
            steps += 1
            if steps % 6 == 0:
                changed += compare(simulation, viewers, chance)
            if not acted(readers, chance):
                let_a_bot_act(simulation, spectator.game)
            look([*readers.values(), watching])
        assert changed > 5
        assert simulation.hall.internal_errors.count == 0


def let_a_bot_act(simulation: HallSimulation, game: str) -> None:
    """Let time pass until a bot has acted."""
    version = live_room_of(simulation, game).durable.version
    for _ in range(30):
        if live_room_of(simulation, game).durable.version == version:
            play_on(simulation, 50, 50)
    assert live_room_of(simulation, game).durable.version > version


def acted(readers: dict[int, Reader], chance: random.Random) -> bool:
    """Let a client act, if it is the turn of one."""
    for player, reader in readers.items():
        command = choose(reader.state, player, chance)
        if command is not None:
            answer = reader.one.ask(*command)
            if (again := answered(command, answer, chance)) is not None:
                answer = reader.one.ask(*again)
            assert "error" not in answer, (command, answer)
            return True
    return False


@pytest.mark.parametrize("answer", ["hu", "pass"])
@pytest.mark.parametrize("when", ["play", "deal"])
def test_the_window_for_the_eighth_flower_reveals_nothing(when: str, answer: str) -> None:
    with HallSimulation() as simulation:
        clients, spectator = seated(simulation, {})
        readers = [Reader(simulation, one, player) for player, one in clients.items()]
        readers.append(Reader(simulation, spectator))
        more: dict[str, Any] = {"manual_steps": True, "hints": False}
        if when == "play":
            scene = table(SEVEN, extra="5m", front="1p f8", **more)
        else:
            scene = table({1: "123456m f1234567", 2: "f8"}, extra="5m", **more)
        arrange(simulation, spectator.game, scene)
        robber, drawer = (clients[2], clients[3])
        if when == "play":
            drop_and_pass(clients, 1, 17)
            robber.do("draw_tile", {"player_id": 2})
            drop_and_pass(clients, 2, 36)
            drawer.do("draw_tile", {"player_id": 3})
        look(readers)
        state = spectator.state()
        assert (state["stage"], state["window"], state["waiting_for"]) == ("WAIT_ACTION", "rob_flower", [2])
        assert robber.state()["legal_actions"] == {"2": ["pass", "hu"]}
        compare(
            simulation,
            [*((one, player) for player, one in clients.items()), (spectator, None)],
            random.Random(1),
        )
        done = robber.act(2, answer)
        look(readers)
        assert done["stage"] == ("ROUND_OVER" if answer == "hu" else "PLAYER_DISCARD")
        if answer == "pass":
            turn = done["current_player_id"]
            assert len(hand(clients[turn].state(), turn)) == 14
        assert [one.state()["players"]["player2"]["flowers"] for one in clients.values()] == [
            spectator.state()["players"]["player2"]["flowers"]
        ] * 4


def test_without_the_house_rule_the_eighth_flower_opens_no_window() -> None:
    with HallSimulation() as simulation:
        clients, spectator = seated(simulation, {"rules": {"flowers_win": False}})
        readers = [Reader(simulation, one, player) for player, one in clients.items()]
        house = HouseRules(flowers_win=False)
        scene = table(
            {1: "123456m f1234567"}, extra="5m", front="f8", manual_steps=True, hints=False, house=house
        )
        arrange(simulation, spectator.game, scene)
        drop_and_pass(clients, 1, 17)
        drawn = clients[2].do("draw_tile", {"player_id": 2})
        look(readers)
        assert (drawn["stage"], len(drawn["flowers_drawn"])) == ("PLAYER_DISCARD", 1)
        assert len(spectator.state()["players"]["player2"]["flowers"]) == 8


def drop_and_pass(clients: dict[int, Mj], player: int, tile: int) -> None:
    clients[player].discard(player, tile)
    for other, one in clients.items():
        if other != player:
            one.act(other, "pass")
