"""Reads the format and rules numbers of journal records, also of records that this server cannot read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.games.game import Game
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import Millis


class RecordNumbers(Struct, frozen=True):
    """The numbers of a record; the first record of a room also names the game."""

    format: int = 1
    rules: int = 1
    game: str = ""


class _SnapshotTable(Struct, frozen=True):
    """The table rule of a snapshot that delays what spectators see."""

    spectator_delay: int = 0


class _SnapshotNumbers(Struct, frozen=True):
    """The part of a snapshot that counts matches: how many were started, and the result of the last.

    `at` and `table` tell when spectators have seen it.
    """

    phase: str
    format: int = 1
    match: int = 0
    result: Any = None
    at: Millis = Millis(0)
    table: _SnapshotTable = _SnapshotTable()


_decode_snapshot: Final = msgspec.json.Decoder(_SnapshotNumbers).decode
_decode: Final = msgspec.json.Decoder(RecordNumbers).decode


def why_unreadable(games: Mapping[str, Game], history: Sequence[Entry], game: str = "") -> str:
    """Return what this server lacks to read sound records, or an empty text.

    A later start or another worker may have it: the package of the game, newer rules, a newer release.
    The first record of a room names the game; `game` is its name where that record is not among these.
    """
    name = game or game_name(history)
    for numbers in _numbers(history):
        if numbers.format > JOURNAL_FORMAT:
            return f"journal format {numbers.format}, this server reads up to {JOURNAL_FORMAT}"
        if name and name not in games:
            return f"no game called {name}"
        if name and numbers.rules > games[name].rules_number:
            return f"rules {numbers.rules} of {name}, this server has rules {games[name].rules_number}"
    return ""


def other_rules(game: Game, entries: Sequence[Entry]) -> int | None:
    """Return a rules number of the records that is not the present one of the game, or None."""
    return next((numbers.rules for numbers in _numbers(entries) if numbers.rules != game.rules_number), None)


def game_name(history: Sequence[Entry]) -> str:
    """Return the name of the game of a room, or an empty text."""
    return next((numbers.game for numbers in _numbers(history[:1])), "")


def finished_matches(snapshot: bytes) -> int | None:
    """Return how many matches were finished in the room of a snapshot; None if this server cannot tell."""
    try:
        numbers = _decode_snapshot(snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if numbers.format > JOURNAL_FORMAT:
        return None
    return numbers.match if numbers.result is not None else max(numbers.match - 1, 0)


def shown_at(snapshot: bytes) -> Millis:
    """Return when spectators may see the room of a snapshot; 0 without a spectator delay."""
    try:
        numbers = _decode_snapshot(snapshot)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Millis(0)
    delay = numbers.table.spectator_delay
    return Millis(numbers.at + delay * 1000 if delay else 0)


def _numbers(entries: Sequence[Entry]) -> Iterator[RecordNumbers]:
    """Yield the numbers of every record that has any."""
    for entry in entries:
        try:
            yield _decode(entry.body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue  # Damaged: the replay of the room says where.
