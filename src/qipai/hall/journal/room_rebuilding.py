"""Rebuilds rooms by replaying journal records from the last snapshot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from qipai.games.game import Game
from qipai.games.game_errors import GameCode
from qipai.kernel.codec import Malformed
from qipai.kernel.ids import SYSTEM, RoomId
from qipai.kernel.room import Advanced, AnyRoom, create
from qipai.kernel.step import step

from .record_conversion import command_of, decode_record, opening_of
from .record_format import AnyRecord, OpenRoomRecord
from .snapshot_format import read_header, read_room
from .store_interface import Entry, Saved, Snapshot, StoreError

encode: Final = msgspec.json.Encoder().encode


class JournalError(StoreError):
    """A stored room cannot be rebuilt; the text says where it fails."""


def read_record(entry: Entry) -> AnyRecord:
    """Return the record of an entry, in the present format."""
    try:
        return decode_record(entry.body)
    except Malformed as error:
        raise JournalError(f"{entry.room} version {entry.version}: {error}") from error


def read_snapshot(games: Mapping[str, Game], snapshot: Snapshot) -> tuple[Game, AnyRoom]:
    """Return the game and the room of a snapshot."""
    try:
        header = read_header(snapshot.body)
    except Malformed as error:
        raise JournalError(f"{snapshot.room}: {error}") from error
    if header.game not in games:
        raise JournalError(f"{snapshot.room}: no game called {header.game}")
    game = games[header.game]
    with _game_code(game, snapshot.room, snapshot.version):
        return game, read_room(game, snapshot.body)


def restore(games: Mapping[str, Game], saved: Saved) -> tuple[Game, AnyRoom, list[Advanced]]:
    """Return the room of a snapshot and its later records, with the steps of those records."""
    game, room = read_snapshot(games, saved.snapshot)
    steps = list(replay(game, room, saved.tail))
    return game, steps[-1].room if steps else room, steps


def replay(game: Game, room: AnyRoom, entries: Iterable[Entry]) -> Iterator[Advanced]:
    """Yield every step again, exactly as it was taken."""
    for entry in entries:
        record = read_record(entry)
        if entry.version != room.version + 1 or isinstance(record, OpenRoomRecord):
            raise JournalError(f"{entry.room}: version {entry.version} does not follow {room.version}")
        with _game_code(game, entry.room, entry.version):
            command = command_of(game, record)
            result = step(game.rules, room, record.actor, command, entry.at, record.entropy, record.nonce)
        if not isinstance(result, Advanced):
            raise JournalError(f"{entry.room}: version {entry.version} {_mismatch(game, record.rules)}")
        room = result.room
        yield result


def first(games: Mapping[str, Game], entry: Entry) -> tuple[Game, AnyRoom]:
    """Return the room that the first record of a history opens."""
    record = read_record(entry)
    if not isinstance(record, OpenRoomRecord) or record.game not in games:
        raise JournalError(f"{entry.room}: does not begin with a known game")
    game = games[record.game]
    with _game_code(game, entry.room, entry.version):
        return game, create(game.rules, opening_of(game, record), entry.at, record.entropy)


def retrace(games: Mapping[str, Game], entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield every step of a whole history, or raise `JournalError` at the first that does not follow."""
    game, room = first(games, entries[0])
    yield Advanced(room, (), SYSTEM)
    yield from replay(game, room, entries[1:])


def _game_code(game: Game, room: RoomId, version: int) -> GameCode:
    return GameCode(JournalError, f"{room} version {version}: game {game.name}: ")


def follows(entries: Sequence[Entry], version: int) -> bool:
    """Tell whether records in ascending order come one by one after a version."""
    return not entries or (
        entries[0].version == version + 1 and entries[-1].version == version + len(entries)
    )


def _mismatch(game: Game, written: int) -> str:
    if written == game.rules_number:
        return "no longer follows the rules"
    return f"was written by rules {written} of {game.name} and does not follow rules {game.rules_number}"
