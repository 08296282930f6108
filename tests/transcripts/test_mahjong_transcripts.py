"""The mahjong dialect as transcripts: `rest` starts games, `wall` prepares hands, all others are sockets."""

import json
from collections import deque
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from qipai.clients.mahjong.dialect import GAME
from qipai.clients.mahjong.rest_start_request import GAME_ID_PREFIX, InvalidBody, parse_start, start_reply
from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.state import State
from qipai.games.mahjong.tile_dealing import deal
from qipai.kernel.ids import RoomId, Seat
from qipai.kernel.randomness import Random
from tests.clients.mahjong.mahjong_clients import Mj, arrange, live_room_of, play_on
from tests.games.mahjong.mahjong_walls import added_kong, table, tiles_are_conserved
from tests.support.hall_simulation import HallSimulation
from tests.transcripts.hall_stage import HallStage, next_frame, open_stage
from tests.transcripts.mahjong_protocol_rules import RULES, TESTED_RULES
from tests.transcripts.transcript import TranscriptClient, play

PLACE = Path(__file__).parent / "mahjong"
SCRIPTS = sorted(PLACE.rglob("*.txt"))
FLOWERS = 136
SCENARIOS = [f"f{number:02}" for number in range(1, 17)]


class Player:
    """A socket."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.peer = Mj(simulation)

    def send(self, frame: str) -> None:
        self.peer.send_frame(frame.encode())
        for _ in range(3):
            self.peer.simulation.settle()
        for live_room in self.peer.simulation.hall.executor.live_rooms.values():
            tiles_are_conserved(cast("State", live_room.durable.state))

    def hear(self) -> Any | None:
        return next_frame(self.peer)

    def cut(self) -> None:
        self.peer.leave()

    leave = back = cut


class RestClient:
    """The REST side: a body comes in, the answer goes out."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.simulation = simulation
        self.answers: deque[Any] = deque()

    def send(self, frame: str) -> None:
        try:
            wanted = parse_start(frame.encode())
        except InvalidBody as bad:
            self.answers.append({"status": 422, "field": bad.field})
            return
        made: list[RoomId | None] = []

        async def begin() -> None:
            options, table = wanted.options, wanted.table
            self.simulation.legacy.game_starter.start(
                GAME, options, table, wanted.bots, GAME_ID_PREFIX, self.simulation.now(), made.append
            )

        self.simulation.run(begin())
        self.simulation.settle()
        (room,) = made
        assert room is not None
        token = self.simulation.hall.identity.seat_token
        tokens = (
            {} if wanted.table.legacy.open_seats else {str(n + 1): token(room, Seat(n)) for n in range(4)}
        )
        self.answers.append(start_reply(room, wanted, tokens))

    def hear(self) -> Any | None:
        return self.answers.popleft() if self.answers else None

    def cut(self) -> None:
        """Nothing is kept open."""

    leave = back = cut


class Wall(RestClient):
    """Prepares a hand: players by number, and what comes from the wall."""

    def send(self, frame: str) -> None:
        wanted = json.loads(frame)
        game = wanted.pop("game_id")
        if wanted.get("fourteenth") == "flower":
            self._shuffle(game)
            return
        if wanted.get("scene") == "added_kong":
            scene = added_kong()
            options = replace(scene.options, manual_steps=True, hints=False)
            arrange(self.simulation, game, replace(scene, options=options))
            return
        hands = {int(player) - 1: tiles for player, tiles in wanted.pop("hands", {}).items()}
        house = HouseRules(**wanted.pop("rules", {}))
        arrange(self.simulation, game, table(hands, manual_steps=True, hints=False, house=house, **wanted))

    def _shuffle(self, game: str) -> None:
        """Let chance go on where the dealer's last tile of the next deal will be a flower."""
        live_room = live_room_of(self.simulation, game)
        state = cast("State", live_room.latest.state)
        last = 4 * state.options.tiles
        drawn = next(
            at
            for at in count(live_room.latest.random_position)
            if deal(state, Random(live_room.latest.random_key, at)).wall[last] >= FLOWERS
        )
        live_room.latest = live_room.durable = replace(live_room.latest, random_position=drawn)


def enter(simulation: HallSimulation, who: str) -> TranscriptClient:
    """Return the REST client, the wall, or a player."""
    return {"rest": RestClient, "wall": Wall}.get(who, Player)(simulation)


class BotStage(HallStage):
    """Lets bots think in their threads while virtual time passes."""

    def wait(self, seconds: float) -> None:
        play_on(self.simulation, seconds // 0.5 * 0.5)
        self.simulation.wait(seconds % 0.5)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_mahjong_dialect(script: Path) -> None:
    with open_stage(enter, BotStage) as transcript_stage:
        assert play(script, transcript_stage)


def test_every_flow_scenario_has_its_transcript() -> None:
    assert [script.stem for script in sorted((PLACE / "flow").glob("*.txt"))] == SCENARIOS
    for name in SCENARIOS:
        assert f"# {name.upper()}: " in (PLACE / "flow" / f"{name}.txt").read_text("utf-8")


def test_every_rule_of_the_protocol_page_is_shown_by_a_transcript() -> None:
    shown = [mark for script in SCRIPTS for mark in marks(script.read_text("utf-8"))]
    assert sorted({*shown}) == sorted(RULES)
    assert {script.stem for script in PLACE.glob("*.txt") if not marks(script.read_text("utf-8"))} == set()


@pytest.mark.parametrize("test", TESTED_RULES.values(), ids=TESTED_RULES)
def test_a_rule_that_no_transcript_can_show_has_a_test(test: str) -> None:
    file, name = test.split("::")
    assert f"def {name}(" in (PLACE.parents[1] / file).read_text("utf-8")


def marks(text: str) -> list[str]:
    """Return the lines of the protocol that a transcript says it shows."""
    return [mark for line in text.splitlines() if line.startswith("#=") for mark in line[2:].split()]
