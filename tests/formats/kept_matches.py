"""What is kept of a format of archived matches: a match of each game, and what its replay shows."""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, pack, unpack
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.replay_builder import build_replay
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, Say, TableRules
from qipai.kernel.ids import SYSTEM, Seat
from tests.support.journal_writer import JournalWriter

GAMES_KEPT: dict[str, tuple[str, Any]] = {
    "tictactoe": ("tictactoe", None),
    "gomoku": ("gomoku", None),
    "chess": ("chess", {"dice": "sequential", "rerolls": 1}),
    "chess-fog": ("chess", {"fog": True, "mines": 5}),
    "mahjong": ("mahjong", None),
}


class KeptMatch(Struct, omit_defaults=True):
    """A file: an archived match as it was written, and a digest of what each viewpoint showed.

    Format 1 was JSON, compressed by zlib; its files contain the JSON as `match`.
    """

    digests: dict[str, str]
    record: str
    match: Any = None
    body: bytes = b""

    def unpacked(self) -> ArchivedMatch:
        """Return the match as the archive returns it."""
        return unpack(self.body or zlib.compress(msgspec.json.encode(self.match)))


def digest(match: ArchivedMatch, viewpoint: str) -> str:
    """Return a digest of the events and positions of a replay."""
    frames = json.loads(build_replay(match, viewpoint))["frames"]
    shown = [(frame["events"], frame["position"], frame["at"], frame["to_act"]) for frame in frames]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def read(path: Path) -> KeptMatch:
    """Return the content of a file."""
    return msgspec.json.decode(path.read_bytes(), type=KeptMatch)


def play(game: str, options: Any) -> JournalWriter:
    """Return the journal of a match to keep."""
    ledger = JournalWriter(game, options, TableRules(title="Club night", clock=ClockPlan((600_000,), 2_000)))
    ledger.take_seats(*("Ann", "Bob", "Cyd", "Dan")[: ledger.game.rules.seats], player_entropy=b"luck")
    ledger.play_on(12)
    ledger.do(Seat(0), Say("hello"))
    ledger.play_on(12)
    if ledger.room.result is None:
        ledger.do(SYSTEM, Close())
    return ledger


def write_matches(folder: Path) -> None:
    """Write a match of each game in the present format."""
    for name, (game, options) in GAMES_KEPT.items():
        (match,) = archive_matches(GAMES, play(game, options).entries)
        digests = {each: digest(match, each) for each in match.viewpoints}
        kept = KeptMatch(digests, match.record, body=pack(match).body)
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(kept) + b"\n")
