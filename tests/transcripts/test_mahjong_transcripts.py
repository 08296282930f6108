"""The mahjong dialect as transcripts: `rest` starts games, `wall` prepares hands, all others are sockets."""

import json
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.dialects.mahjong.dialect import GAME
from qipai.dialects.mahjong.starts import PREFIX, BadBody, start_of, started
from qipai.games.mahjong.house import House
from qipai.kernel.names import RoomId, Seat
from tests.dialects.mahjong_room import Mj, arrange
from tests.games.mahjong_walls import added_kong, table
from tests.support.stage import Stage
from tests.transcripts.script import Actor, play
from tests.transcripts.staged import following, staged

SCRIPTS = sorted((Path(__file__).parent / "mahjong").glob("*.txt"))


class Player:
    """A socket."""

    def __init__(self, stage: Stage) -> None:
        self.peer = Mj(stage)

    def send(self, frame: str) -> None:
        self.peer.raw(frame.encode())
        for _ in range(3):
            self.peer.stage.settle()

    def hear(self) -> Any | None:
        return following(self.peer)

    def cut(self) -> None:
        self.peer.leave()

    leave = back = cut


class Front:
    """The REST side: a body comes in, the answer goes out."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.answers: deque[Any] = deque()

    def send(self, frame: str) -> None:
        try:
            wanted = start_of(frame.encode())
        except BadBody as bad:
            self.answers.append({"status": 422, "field": bad.field})
            return
        made: list[RoomId | None] = []

        async def begin() -> None:
            options, table = wanted.options, wanted.table
            self.stage.hall.starts.start(
                GAME, options, table, wanted.bots, PREFIX, self.stage.now(), made.append
            )

        self.stage.run(begin())
        self.stage.settle()
        (room,) = made
        assert room is not None
        token = self.stage.hall.identity.seat_token
        tokens = {} if wanted.table.open_seats else {str(n + 1): token(room, Seat(n)) for n in range(4)}
        self.answers.append(started(room, wanted, tokens))

    def hear(self) -> Any | None:
        return self.answers.popleft() if self.answers else None

    def cut(self) -> None:
        """Nothing is kept open."""

    leave = back = cut


class Wall(Front):
    """Prepares a hand: players by number, and what comes from the wall."""

    def send(self, frame: str) -> None:
        wanted = json.loads(frame)
        game = wanted.pop("game_id")
        if wanted.get("scene") == "added_kong":
            scene = added_kong()
            options = replace(scene.options, manual=True, hints=False)
            arrange(self.stage, game, replace(scene, options=options))
            return
        hands = {int(player) - 1: tiles for player, tiles in wanted.pop("hands", {}).items()}
        house = House(**wanted.pop("rules", {}))
        arrange(self.stage, game, table(hands, manual=True, hints=False, house=house, **wanted))


def enter(stage: Stage, who: str) -> Actor:
    """Return whoever starts games, prepares hands, or plays."""
    return {"rest": Front, "wall": Wall}.get(who, Player)(stage)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_mahjong_dialect(script: Path) -> None:
    with staged(enter) as theatre:
        assert play(script, theatre)
