"""Two tables that differ in what a client may not see: it is told the same of both, bots or not."""

import random
from typing import Any, cast

import pytest
from msgspec.structs import replace

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.state import State
from qipai.kernel.ids import SPECTATOR, Seat
from qipai.kernel.randomness import Random
from tests.clients.mahjong.mahjong_play import action_of, answered, choose
from tests.clients.mahjong.mahjong_reader import Reader, look
from tests.clients.mahjong.mahjong_room import Message, Mj, arrange, box_of, hand, play_on, start
from tests.games.mahjong.mahjong_twins import scramble
from tests.games.mahjong.mahjong_walls import SEVEN, table
from tests.support.stage import Stage

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


def seated(stage: Stage, body: Message) -> tuple[dict[int, Mj], Mj]:
    """Return the people of a game just dealt, and a watcher."""
    game = start(stage, **body)
    people = {player: Mj(stage, game) for player in range(1, 5) if player not in body.get("bots", [])}
    for player, one in people.items():
        one.do("join_room", {"player_id": player})
    watcher = Mj(stage, game)
    for kind in ("roll_positions", "roll_dealer", "deal_tiles"):
        watcher.do(kind)
    return people, watcher


def asked(one: Mj, player: int | None, legal: list[str]) -> list[Message]:
    """Return what a client hears to every question, and to everything that it may not do."""
    heard = [one.ask(kind) for kind in QUESTIONS]
    if player is not None:
        heard += [one.ask(*action_of(action, player)) for action in TRIES if action not in legal]
        heard.append(one.ask("discard_tile", {"player_id": player, "tile": 300}))
    one.stage.wait(1)
    return heard


def compare(stage: Stage, viewers: list[tuple[Mj, int | None]], chance: random.Random) -> int:
    """Let each viewer look at the table and at a twin of it; return how many twins were others."""
    game, changed = viewers[0][0].game, 0
    for one, player in viewers:
        state = cast("State", box_of(stage, game).durable.state)
        seat = SPECTATOR if player is None else Seat(player - 1)
        twin = scramble(state, seat, Random(chance.randbytes(32)), keep=())
        changed += twin != state
        legal = one.state()["legal_actions"].get(str(player), [])
        before = asked(one, player, legal)
        put(stage, game, twin)
        try:
            assert asked(one, player, legal) == before
        finally:
            put(stage, game, state)
    return changed


def put(stage: Stage, game: str, state: State) -> None:
    """Put a state on the table while bots look elsewhere, and show it to everybody."""
    arrange(stage, game, replace(state, seating=state.seating or (1, 2)))


@pytest.mark.parametrize("body", BODIES, ids=lambda body: "-".join(map(str, body.get("bots", ["nobody"]))))
def test_frames_do_not_depend_on_what_is_hidden_from_the_receiver(body: Message) -> None:
    chance = random.Random(7)
    # Bots that take their time: nobody acts while a twin is on the table.
    with Stage(bot_pause=600_000) as stage:
        people, watcher = seated(stage, body)
        readers = {player: Reader(stage, one, player) for player, one in people.items()}
        watching = Reader(stage, watcher)
        viewers: list[tuple[Mj, int | None]] = [*((one, player) for player, one in people.items())]
        viewers.append((watcher, None))
        for reader in (*readers.values(), watching):
            reader.state = reader.one.state()
        changed = steps = 0
        while steps < 60 and watching.state["stage"] != "ROUND_OVER":
            steps += 1
            if steps % 6 == 0:
                changed += compare(stage, viewers, chance)
            if not acted(readers, chance):
                let_a_bot_act(stage, watcher.game)
            look([*readers.values(), watching])
        assert changed > 5
        assert stage.hall.internal_errors.count == 0


def let_a_bot_act(stage: Stage, game: str) -> None:
    """Let time pass until somebody has acted."""
    version = box_of(stage, game).durable.version
    for _ in range(30):
        if box_of(stage, game).durable.version == version:
            play_on(stage, 50, 50)
    assert box_of(stage, game).durable.version > version


def acted(readers: dict[int, Reader], chance: random.Random) -> bool:
    """Let somebody do something, if it is anybody's turn who is no bot."""
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
    with Stage() as stage:
        people, watcher = seated(stage, {})
        readers = [Reader(stage, one, player) for player, one in people.items()]
        readers.append(Reader(stage, watcher))
        more: dict[str, Any] = {"manual": True, "hints": False}
        if when == "play":
            scene = table(SEVEN, extra="5m", front="1p f8", **more)
        else:
            scene = table({1: "123456m f1234567", 2: "f8"}, extra="5m", **more)
        arrange(stage, watcher.game, scene)
        robber, drawer = (people[2], people[3])
        if when == "play":
            drop_and_pass(people, 1, 17)
            robber.do("draw_tile", {"player_id": 2})
            drop_and_pass(people, 2, 36)
            drawer.do("draw_tile", {"player_id": 3})
        look(readers)
        state = watcher.state()
        assert (state["stage"], state["window"], state["waiting_for"]) == ("WAIT_ACTION", "rob_flower", [2])
        assert robber.state()["legal_actions"] == {"2": ["pass", "hu"]}
        compare(
            stage, [*((one, player) for player, one in people.items()), (watcher, None)], random.Random(1)
        )
        done = robber.act(2, answer)
        look(readers)
        assert done["stage"] == ("ROUND_OVER" if answer == "hu" else "PLAYER_DISCARD")
        if answer == "pass":
            turn = done["current_player_id"]
            assert len(hand(people[turn].state(), turn)) == 14
        assert [one.state()["players"]["player2"]["flowers"] for one in people.values()] == [
            watcher.state()["players"]["player2"]["flowers"]
        ] * 4


def test_without_the_house_rule_the_eighth_flower_opens_no_window() -> None:
    with Stage() as stage:
        people, watcher = seated(stage, {"rules": {"flowers_win": False}})
        readers = [Reader(stage, one, player) for player, one in people.items()]
        house = HouseRules(flowers_win=False)
        scene = table({1: "123456m f1234567"}, extra="5m", front="f8", manual=True, hints=False, house=house)
        arrange(stage, watcher.game, scene)
        drop_and_pass(people, 1, 17)
        drawn = people[2].do("draw_tile", {"player_id": 2})
        look(readers)
        assert (drawn["stage"], len(drawn["flowers_drawn"])) == ("PLAYER_DISCARD", 1)
        assert len(watcher.state()["players"]["player2"]["flowers"]) == 8


def drop_and_pass(people: dict[int, Mj], player: int, tile: int) -> None:
    people[player].discard(player, tile)
    for other, one in people.items():
        if other != player:
            one.act(other, "pass")
