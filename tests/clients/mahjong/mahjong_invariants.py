"""Invariants over what four clients of one game receive: together they account for all 144 tiles."""

from collections import defaultdict
from typing import Any, NamedTuple

import msgspec

from tests.clients.mahjong.mahjong_random_play import TILE

Message = dict[str, Any]
OVER = ("ROUND_OVER", "GAME_OVER")
TILES = 144


class Glance(NamedTuple):
    """One event as one client received it: its own tiles, public tiles, and everything else."""

    own: int
    open: int
    left: int
    rest: bytes


def mask(tiles: Any) -> int:
    """Return a set of tiles as the bits of a number."""
    bits = 0
    for tile in tiles:
        bits |= 1 << int(tile)
    return bits


def shown_in(frame: bytes) -> int:
    """Return every tile that is shown anywhere in a frame."""
    return mask({*TILE.findall(frame)})


def glance(frame: bytes, message: Message, player: int) -> Glance:
    """Return what an event showed to a player; other hands must be empty, under any name."""
    state = message["data"]
    players = state["players"]
    me = players[f"player{player}"]
    for number in range(1, 5):
        shown = players[f"player{number}"]
        assert len(shown["tiles"]) == len(shown["tile_names"]), shown
        hidden = number != player and state["stage"] not in OVER
        assert len(shown["tiles"]) == (0 if hidden else shown["count"]), shown
    assert [*state["legal_actions"]] == [str(player)]
    own = 0
    if state["stage"] not in OVER:
        own = mask(tile["id"] for tile in me["tiles"])
        own |= mask(tile["id"] for meld in me["melds"] if meld["type"] == 4 for tile in meld["tiles"])
    return Glance(own, shown_in(frame) & ~own, state["deck_remaining"], _public(message))


def _public(message: Message) -> bytes:
    """Return the part of an event that must be the same for all."""
    state = message["data"]
    players = [
        {
            **player,
            "tiles": 0,
            "tile_names": 0,
            "melds": [meld if meld["type"] != 4 else 4 for meld in player["melds"]],
        }
        for player in state["players"].values()
    ]
    return msgspec.json.encode([message["event"], {**state, "players": players, "legal_actions": 0}])


class Witness:
    """Compares what four clients receive of each event once all have received it."""

    def __init__(self, since: int) -> None:
        self._since = since
        self._seen: defaultdict[int, list[Glance]] = defaultdict(list)
        self._answered = dict.fromkeys(range(1, 5), 0)
        self.compared = 0

    def hear(self, player: int, frame: bytes, message: Message) -> None:
        """Record what a client received."""
        if message["type"] != "event":
            self._answered[player] |= shown_in(frame)
            return
        if message["seq"] <= self._since:
            return
        seen = glance(frame, message, player)
        assert not self._answered[player] & ~(seen.own | seen.open), "an answer showed a hidden tile"
        self._answered[player] = 0
        glances = self._seen[message["seq"]]
        glances.append(seen)
        if len(glances) == 4:
            agree(self._seen.pop(message["seq"]))
            self.compared += 1

    def done(self) -> None:
        """Check that all four clients have received every event."""
        assert not self._seen


def agree(glances: list[Glance]) -> None:
    """Check that four views of one event agree, hide every hand, and contain all tiles."""
    first = glances[0]
    for one in glances:
        assert (one.open, one.left, one.rest) == (first.open, first.left, first.rest)
    known = first.open
    for one in glances:
        assert not known & one.own, "a tile is in two places, or shown to whom it is hidden from"
        known |= one.own
    assert known.bit_count() + first.left == TILES


def agree_at_the_end(states: list[Message]) -> None:
    """Check that all four clients agree at the end of a hand, and that scores add up."""
    first = {**states[0], "legal_actions": 0}
    for state in states:
        assert {**state, "legal_actions": 0} == first
    assert sum(first["result"]["delta"].values()) == 0
    assert sum(first["result"]["scores"].values()) == 0
    assert first["result"]["scores"] == {name[-1]: one["score"] for name, one in first["players"].items()}
