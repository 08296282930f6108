"""Nobody is ever sent a tile that he may not see: not in an answer, not in an event, not by its name."""

import json
import random
from typing import Any

import msgspec
import pytest

from qipai.games.mahjong.state import State
from qipai.games.mahjong.values import Form, Stage
from qipai.kernel.names import Seat
from tests.dialects.mahjong_play import answered, choose, tiles_in
from tests.dialects.mahjong_room import Mj, box_of, four
from tests.support.stage import Stage as Hall


def hidden(state: State, *seats: Seat) -> set[int]:
    """Return every tile that whoever holds these seats may not see."""
    if state.stage in (Stage.HAND_OVER, Stage.GAME_OVER) or not state.wall:
        return set()
    secret = {*state.wall[state.front : state.back]}
    for number, holding in enumerate(state.holdings):
        if Seat(number) not in seats:
            secret |= {*holding.tiles}
            secret |= {tile for one in holding.sets if one.form is Form.CONCEALED for tile in one.tiles}
    return secret


class Reader:
    """Reads everything that a client is sent, and compares it with what may be known."""

    def __init__(self, stage: Hall, one: Mj, *players: int) -> None:
        self.stage = stage
        self.one = one
        self.players = players
        self.read = len(one.wire.frames)
        self.seq: int | None = None
        self.state: dict[str, Any] = {}

    def look(self) -> None:
        """Check what was sent since the last time; the table stands still meanwhile."""
        table: Any = box_of(self.stage, self.one.game).shown.state
        secret = hidden(table, *(Seat(player - 1) for player in self.players))
        frames = self.one.wire.frames[self.read :]
        self.read = len(self.one.wire.frames)
        for frame in frames:
            assert not secret & tiles_in(frame), frame
            message = msgspec.json.decode(frame)
            if message["type"] == "event":
                assert self.seq is None or message["seq"] == self.seq + 1
                self.seq, self.state = message["seq"], message["data"]
            for shown in (message.get("data", {}).get("players") or {}).items():
                self.check_hand(table, *shown)

    def check_hand(self, table: State, name: str, shown: dict[str, Any]) -> None:
        player = int(name[-1])
        assert len(shown["tile_names"]) == len(shown["tiles"])
        if player not in self.players and table.stage not in (Stage.HAND_OVER, Stage.GAME_OVER):
            assert shown["tiles"] == shown["tile_names"] == []


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("body", [{}, {"game_type": 16}, {"flowers": "keep"}], ids=["13", "16", "keep"])
def test_no_frame_shows_a_hidden_tile_and_every_event_shows_the_reader_s_own_state(
    stage: Hall, body: dict[str, Any], seed: int
) -> None:
    chance = random.Random(seed)
    people, _ = four(stage, **body)
    watcher = Mj(stage, people[0].game)
    watcher.state()
    readers = [Reader(stage, one, player) for player, one in enumerate(people, 1)]
    readers.append(Reader(stage, watcher))
    hands = 0
    for reader in readers:
        reader.state = reader.one.state()
    while hands < 1 + seed:
        for player in chance.sample((1, 2, 3, 4), 4):
            one, reader = people[player - 1], readers[player - 1]
            command = choose(reader.state, player, chance)
            if command is None:
                continue
            answer = one.ask(*command)
            if (again := answered(command, answer, chance)) is not None:
                answer = one.ask(*again)
            assert "error" not in answer, (command, answer)
            look(readers)
            asker = chance.choice(readers)
            assert asker.state == asker.one.state()
            stage.wait(0.1)
        if readers[0].state["stage"] == "ROUND_OVER":
            hands += 1
            check_the_end(people, watcher)
            look(readers)
            watcher.do("next_round")
            look(readers)
            people[0].do("deal_tiles")
            look(readers)


def look(readers: list[Reader]) -> None:
    for reader in readers:
        reader.look()


def check_the_end(people: list[Mj], watcher: Mj) -> None:
    """All hands are open now, and so are the seed and the wall; the scores add up."""
    state = watcher.state()
    for player in state["players"].values():
        assert len(player["tiles"]) == player["count"] > 0
    proof = watcher.do("verify_wall")
    assert sorted(proof["wall"]) == list(range(144))
    assert proof["commitment"] == state["commitment"]
    assert sum(state["result"]["delta"].values()) == 0
    assert sum(state["result"]["scores"].values()) == 0
    assert [one.state()["players"] for one in people] == [state["players"]] * 4


def test_a_vote_is_told_to_nobody_before_it_is_settled(stage: Hall) -> None:
    people, dealer = four(stage)
    state = people[dealer - 1].state()
    people[dealer - 1].discard(dealer, state["players"][f"player{dealer}"]["tiles"][0]["id"])
    for one in people:
        one.told()
    voter = dealer % 4 + 1
    people[voter - 1].act(voter, "pass")
    for one in people:
        (event,) = one.told()
        assert event["event"] == {"type": "player_action", "player_id": voter}
        assert voter not in event["data"]["waiting_for"]
        assert "pass" not in json.dumps({**event, "data": {**event["data"], "legal_actions": {}}})
