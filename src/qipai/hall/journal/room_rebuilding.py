"""Rebuilds rooms by replaying journal records from the last snapshot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.games.game_registry import Game
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import Command, OpenRoom, Play, StartGame, TakeSeat
from qipai.kernel.ids import SYSTEM, Nonce, Seat
from qipai.kernel.room import Advanced, AnyRoom, create
from qipai.kernel.step import step

from .store_interface import Entry, Saved, StoreError


class JournalRecord(Struct, frozen=True, omit_defaults=True):
    """The body of a journal entry."""

    actor: Seat
    command: OpenRoom | Command
    nonce: Nonce = Nonce("")
    entropy: bytes = b""


encode: Final = msgspec.json.Encoder().encode
_records: Final = msgspec.json.Decoder(JournalRecord)


class JournalError(StoreError):
    """A stored room cannot be rebuilt; the text says where it fails."""


def read_record(entry: Entry) -> JournalRecord:
    """Return the body of an entry."""
    try:
        return _records.decode(entry.body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise JournalError(f"{entry.room} version {entry.version}: {error}") from error


def restore(games: Mapping[str, Game], saved: Saved) -> tuple[Game, AnyRoom, list[Advanced]]:
    """Return the room of a snapshot and its later records, with the steps of those records."""
    try:
        name = msgspec.json.decode(saved.snapshot.body, type=RoomHeader).game
        if name not in games:
            raise JournalError(f"{saved.snapshot.room}: no game called {name}")
        game = games[name]
        room = game.read_room(saved.snapshot.body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise JournalError(f"{saved.snapshot.room}: {error}") from error
    steps = list(replay(game, room, saved.tail))
    return game, steps[-1].room if steps else room, steps


def replay(game: Game, room: AnyRoom, entries: Iterable[Entry]) -> Iterator[Advanced]:
    """Yield every step again, exactly as it was taken."""
    for entry in entries:
        record = read_record(entry)
        command = record.command
        if entry.version != room.version + 1 or isinstance(command, OpenRoom):
            raise JournalError(f"{entry.room}: version {entry.version} does not follow {room.version}")
        try:
            if type(command) is Play:
                command = Play(game.read_move(command.move))
            elif isinstance(command, TakeSeat):
                if command.move is not None:
                    command = replace(command, move=game.read_move(command.move))
            elif isinstance(command, StartGame):
                command = replace(command, options=game.read_options(command.options))
        except Malformed as error:
            raise JournalError(f"{entry.room} version {entry.version}: {error}") from error
        result = step(game.rules, room, record.actor, command, entry.at, record.entropy, record.nonce)
        if not isinstance(result, Advanced):
            raise JournalError(f"{entry.room}: version {entry.version} no longer follows the rules")
        room = result.room
        yield result


def first(games: Mapping[str, Game], entry: Entry) -> tuple[Game, AnyRoom]:
    """Return the room that the first record of a history opens."""
    record = read_record(entry)
    command = record.command
    if not isinstance(command, OpenRoom) or command.game not in games:
        raise JournalError(f"{entry.room}: does not begin with a known game")
    game = games[command.game]
    try:
        command = replace(command, options=game.read_options(command.options))
    except Malformed as error:
        raise JournalError(f"{entry.room}: {error}") from error
    return game, create(game.rules, command, entry.at, record.entropy)


def retrace(games: Mapping[str, Game], entries: Sequence[Entry]) -> Iterator[Advanced]:
    """Yield every step of a whole history, or raise `JournalError` at the first that does not follow."""
    game, room = first(games, entries[0])
    yield Advanced(room, (), SYSTEM)
    yield from replay(game, room, entries[1:])


class RoomHeader(Struct):
    """The part of a room that is read first: its game."""

    game: str


def follows(entries: Sequence[Entry], version: int) -> bool:
    """Tell whether records in ascending order come one by one after a version."""
    return not entries or (
        entries[0].version == version + 1 and entries[-1].version == version + len(entries)
    )
