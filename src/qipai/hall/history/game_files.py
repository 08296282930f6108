"""Files of finished games: replay, notation and ending, compressed."""

import gzip
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from .archived_match import ArchivedMatch, positions
from .replay_builder import ReplayTooLong, build_compact_replay, build_replay

GZIP_LEVEL: Final = 9


class FoundFile(NamedTuple):
    """A finished match, compressed with gzip, and a file name for it."""

    body: bytes
    name: str


class GameEnding(Struct, frozen=True):
    """How a match ended: its last position, from the viewpoint from which a replay is shown by default.

    `names` and `bots` have an empty text for a seat that was not taken.
    """

    game: str
    public: bool
    options: Any
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    reason: str
    moves: int
    position: Any


def replay_file(match: ArchivedMatch, wanted_viewpoint: str, *, compact: bool) -> FoundFile | None:
    """Return a replay from a viewpoint (empty: the default one); None if there is none, or it is too long."""
    viewpoint = wanted_viewpoint or match.viewpoints[0]
    if viewpoint not in match.viewpoints:
        return None
    try:
        body = (build_compact_replay if compact else build_replay)(match, viewpoint)
    except ReplayTooLong:
        return None
    return FoundFile(_compress(body), _file_name(match, "json"))


def notation_file(match: ArchivedMatch) -> FoundFile:
    """Return a match in the notation of its game."""
    return FoundFile(_compress(match.record.encode()), _file_name(match, match.record_suffix))


def ending_file(match: ArchivedMatch) -> FoundFile:
    """Return how a match ended."""
    position = None
    for position in positions(match, match.viewpoints[0]):  # noqa: B007 - the last one
        pass
    ending = GameEnding(
        match.game,
        match.public,
        match.options,
        tuple("" if seat is None else seat.name for seat in match.seats),
        tuple("" if seat is None else seat.bot for seat in match.seats),
        match.winners,
        match.reason,
        match.moves,
        position,
    )
    return FoundFile(_compress(msgspec.json.encode(ending)), _file_name(match, "json"))


def _file_name(match: ArchivedMatch, suffix: str) -> str:
    return f"{match.game}-{match.room}-{match.match}.{suffix}"


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, GZIP_LEVEL, mtime=0)
