"""Archived matches of every format, as files; `python -m tests.support.archived_files` adds this format."""

import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import FORMAT, ArchivedMatch, pack, unpack
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.replay_builder import build_replay
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Close, Say, TableRules
from qipai.kernel.ids import SYSTEM, Seat
from tests.support.journal_writer import JournalWriter

FOLDER = Path(__file__).parent.parent / "hall" / "history" / "formats"
GAMES_KEPT: dict[str, tuple[str, Any]] = {
    "tictactoe": ("tictactoe", None),
    "gomoku": ("gomoku", None),
    "chess": ("chess", {"dice": "sequential", "rerolls": 1}),
    "chess-fog": ("chess", {"fog": True, "mines": 5}),
    "mahjong": ("mahjong", None),
}


class KeptMatch(Struct):
    """A file: an archived match as it was written, and a digest of what each viewpoint showed."""

    digests: dict[str, str]
    record: str
    match: msgspec.Raw

    def unpacked(self) -> ArchivedMatch:
        """Return the match as the archive returns it."""
        return unpack(zlib.compress(bytes(self.match)))


def digest(match: ArchivedMatch, viewpoint: str) -> str:
    """Return a digest of the events and positions of a replay."""
    frames = json.loads(build_replay(match, viewpoint))["frames"]
    shown = [(frame["events"], frame["position"], frame["at"], frame["to_act"]) for frame in frames]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def kept_files() -> list[Path]:
    """Return every file, of all formats."""
    return sorted(FOLDER.glob("format-*.json"))


def read(path: Path) -> KeptMatch:
    """Return the content of a file."""
    return msgspec.json.decode(path.read_bytes(), type=KeptMatch)


def _play(game: str, options: Any) -> ArchivedMatch:
    ledger = JournalWriter(game, options, TableRules(title="Club night", clock=ClockPlan((600_000,), 2_000)))
    ledger.take_seats(*("Ann", "Bob", "Cyd", "Dan")[: ledger.game.rules.seats], player_entropy=b"luck")
    ledger.play_on(12)
    ledger.do(Seat(0), Say("hello"))
    ledger.play_on(12)
    if ledger.room.result is None:
        ledger.do(SYSTEM, Close())
    (match,) = archive_matches(GAMES, ledger.entries)
    return match


def main() -> None:
    """Write the files of the present format that do not exist yet."""
    FOLDER.mkdir(exist_ok=True)
    for name, (game, options) in GAMES_KEPT.items():
        path = FOLDER / f"format-{FORMAT}-{name}.json"
        if not path.exists():
            match = _play(game, options)
            body = msgspec.Raw(zlib.decompress(pack(match).body))
            kept = KeptMatch({each: digest(match, each) for each in match.viewpoints}, match.record, body)
            path.write_bytes(msgspec.json.encode(kept) + b"\n")


if __name__ == "__main__":
    main()
