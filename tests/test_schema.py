"""Every frame of whole games, as each player and a spectator sees them, matches the published schema."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.randomness import SEED_BYTES, Random
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.schema import Schema

DOCS: Final = Path(__file__).resolve().parent.parent / "docs" / "protocol"
SCHEMA: Final = Schema(json.loads((DOCS / "native.schema.json").read_text(encoding="utf-8")))
CLOCK: Final = {"main": [600_000], "increment": 1_000}
TABLES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "tictactoe": ("tictactoe", {}),
    "gomoku": ("gomoku", {}),
    "chess": ("chess", {}),
    "chess with everything": ("chess", {"dice": "sequential", "fog": True, "mines": 5, "rerolls": 2}),
    "mahjong": ("mahjong", {"rounds": 1}),
    "mahjong with sixteen": ("mahjong", {"rounds": 1, "tiles": 16, "house": {"declare_ting": True}}),
}
LONG: Final = 400
"""Moves after which a player resigns."""
ENDLESS: Final = 5_000


class Recorder:
    """Plays in one room and checks every frame that is sent and received."""

    def __init__(self, simulation: HallSimulation, game: str, options: dict[str, Any]) -> None:
        self.simulation = simulation
        self.peers: list[NativeClient] = [
            simulation.native_client(f"P{seat}") for seat in range(GAMES[game].rules.seats)
        ]
        self.spectator = simulation.native_client("Eve")
        self.nonces = 0
        self.say(self.spectator, "lobby")
        first, *others = self.peers
        self.say(
            first, "open", game=game, options=options, table={"clock": CLOCK}, player_entropy="5eed", seat=0
        )
        (shown,) = [n for n in map(json.loads, first.transport.frames) if n["type"] == "room"]
        self.room = shown["room"]["id"]
        for seat, peer in enumerate(others, 1):
            self.say(peer, "join", room=self.room, seat=seat)
        self.say(self.spectator, "watch", room=self.room)

    def say(self, peer: NativeClient, type_: str, **fields: Any) -> None:
        """Send an intent that must match the schema, with a nonce where it has one, and wait 50 ms."""
        intent = {"type": type_, **fields}
        if type_ not in {"lobby", "join", "watch", "resume", "leave"}:
            self.nonces += 1
            intent["nonce"] = f"n{self.nonces}"
        assert SCHEMA.fault(intent, "Intent") is None
        peer.send_frame(json.dumps(intent).encode())
        self.simulation.wait(0.05)

    def play(self, random: Random) -> None:
        """Make legal moves until the game is over; in a long game the first player tries to resign."""
        room = self.simulation.hall.executor.find(self.room)
        assert room is not None
        rules, waited = room.game.rules, dict.fromkeys(range(len(self.peers)), 0)
        for step in range(1, ENDLESS):
            if room.durable.result is not None:
                return
            # A seat may answer a claim again; seats that have not answered come first.
            seat = min(rules.to_act(room.durable.state), key=lambda seat: waited[seat])
            waited[seat] = step
            legal = rules.legal(room.durable.state, seat)
            # Hands played at random are never won, so the game would not end.
            bot = room.game.bots["normal"] if room.durable.game == "mahjong" else None
            view = rules.view(room.durable.state, seat)
            chosen = bot.choose(view, seat, legal, random) if bot else None
            move = chosen or legal[random.below(len(legal))]
            self.say(self.peers[seat], "play", room=self.room, move=json.loads(encode(move)))
            if step == LONG:
                self.say(self.peers[0], "resign", room=self.room)
        raise AssertionError("this game does not end")

    def check(self) -> set[str]:
        """Check every received frame; return the types of its notices and events."""
        kinds: set[str] = set()
        for peer in (*self.peers, self.spectator):
            for frame in peer.transport.frames:
                notice = json.loads(frame)
                assert (fault := SCHEMA.fault(notice, "Notice")) is None, fault
                kinds |= {notice["type"], *(event["e"] for event in notice.get("events", ()))}
        return kinds


@pytest.mark.parametrize("name", TABLES)
def test_every_frame_of_a_game_matches_the_schema(simulation: HallSimulation, name: str) -> None:
    recorder = Recorder(simulation, *TABLES[name])
    first, second, *_ = recorder.peers
    recorder.say(second, "say", room=recorder.room, phrase="good_luck")
    recorder.play(Random(bytes(SEED_BYTES)))
    for peer in recorder.peers:
        recorder.say(peer, "offer", room=recorder.room, kind="rematch")
    first.disconnect()
    simulation.wait(10)
    recorder.say(second, "resume", room=recorder.room, version=1)
    recorder.say(second, "play", room="unknown", move={"do": "next"})
    recorder.say(second, "leave", room=recorder.room)
    types = recorder.check()
    assert types >= {"welcome", "lobby", "room", "events", "refused", "left", "spectators"}
    assert types >= {
        "seat_taken",
        "game_started",
        "said",
        "game_over",
        "offer_made",
        "offer_answered",
        "disconnected",
    }


def test_a_value_that_does_not_match_the_schema_is_found() -> None:
    good = {"type": "play", "room": "r", "move": {"do": "mark", "cell": 8}}
    assert SCHEMA.fault(good, "Intent") is None
    for bad in (
        {**good, "move": {"do": "mark", "cell": 9}},
        {**good, "move": {"do": "mark"}},
        {**good, "room": ""},
        {**good, "nonce": 7},
        {**good, "at_version": True},
        {**good, "colour": "red"},
        {**good, "type": "dance"},
    ):
        assert SCHEMA.fault(bad, "Intent") is not None, bad
    assert SCHEMA.fault(good, "Notice") is not None
