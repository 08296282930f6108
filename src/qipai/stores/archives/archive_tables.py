"""Schema, rows and search queries that the SQL archives share; packs a history."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, PackedMatch, search_name
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import RoomId
from qipai.stores.schema_number import Schema

from .stored_listing import stored_listing

Query = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]
"""Runs a statement and returns its rows, none for a statement that has no result."""

SCHEMA: Final = Schema[Query](number=2, oldest=2)
"""Archives of schema 1 have no table `archive_meta`, and no archived matches.

A migration is part of one transaction. In its statements `{bytes}` and `{flag}` stand for types of columns.
"""
_CREATE_TABLES: Final = (
    "create table if not exists archive_meta (key text primary key, value text not null)",
    "create table if not exists archived_rooms (room text primary key, history {bytes} not null)",
    """create table if not exists archived_matches (
        room text not null, match integer not null, body {bytes} not null, primary key (room, match))""",
    """create table if not exists finished_games (
        room text not null, match integer not null, public {flag} not null, game text not null,
        ended bigint not null, summary {bytes} not null, primary key (room, match))""",
    "create index if not exists games_by_end on finished_games (public, ended, room, match)",
    "create index if not exists games_by_game on finished_games (public, game, ended, room, match)",
    """create table if not exists game_players (
        name text not null, room text not null, match integer not null, public {flag} not null,
        game text not null, ended bigint not null, primary key (name, room, match))""",
    "create index if not exists players_by_end on game_players (name, public, ended, room, match)",
    "create index if not exists players_by_game on game_players (name, public, game, ended, room, match)",
    """create table if not exists game_persons (
        person text not null, ended bigint not null, room text not null, match integer not null,
        primary key (person, ended, room, match))""",
)
_SELECT_SCHEMA: Final = "select value from archive_meta where key = 'schema'"
_INSERT_SCHEMA: Final = "insert into archive_meta values ('schema', ?) on conflict do nothing"
_UPDATE_SCHEMA: Final = "update archive_meta set value = ? where key = 'schema'"
_INSERT_ROOM: Final = "insert into archived_rooms values (?, ?) on conflict do nothing"
_INSERT_MATCH: Final = "insert into archived_matches values (?, ?, ?) on conflict do nothing"
_INSERT_GAME: Final = "insert into finished_games values (?, ?, ?, ?, ?, ?) on conflict do nothing"
_INSERT_PLAYER: Final = "insert into game_players values (?, ?, ?, ?, ?, ?) on conflict do nothing"
_INSERT_PERSON: Final = "insert into game_persons values (?, ?, ?, ?) on conflict do nothing"
SELECT_HISTORY: Final = "select history from archived_rooms where room = ?"
SELECT_MATCH: Final = "select body from archived_matches where room = ? and match = ?"
SELECT_NUMBERS: Final = "select match from archived_matches where room = ? order by match"
_SELECT_ROOMS: Final = """
    select room from (select room from archived_rooms union select room from archived_matches) rooms
    where room > ? order by room limit ?"""
PAGE_ROWS: Final = 1000

_decode_entries: Final = msgspec.msgpack.Decoder(tuple[Entry, ...]).decode


def prepare(
    query: Query, has_table: str, name: str, *, bytes_type: str, flag_type: str, update_schema: bool
) -> None:
    """Create the tables of an empty archive, or migrate an earlier schema; the caller has a transaction.

    Raise `StoreError` if the archive cannot be read, or if it must be migrated and `update_schema` is false.
    `has_table` is a query that has a row if a table exists. `name` names the archive in the error.
    """

    def run(sql: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
        return query(sql.format(bytes=bytes_type, flag=flag_type), values)

    if query(has_table, ("archive_meta",)):
        found = int(query(_SELECT_SCHEMA, ())[0][0])
    else:
        found = 1 if query(has_table, ("archived_rooms",)) else SCHEMA.number
    if SCHEMA.is_earlier(name, found, update=update_schema):
        for _, migrate in SCHEMA.steps(found):
            migrate(run)
        query(_UPDATE_SCHEMA, (str(SCHEMA.number),))
    for statement in _CREATE_TABLES:
        run(statement, ())
    query(_INSERT_SCHEMA, (str(SCHEMA.number),))


def insertions(
    room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield every statement that stores a room or the matches of an open one, with its values."""
    if history:
        yield _INSERT_ROOM, (room, pack_history(history))
    for match in matches:
        game = match.game
        yield _INSERT_MATCH, (game.room, game.match, match.body)
        if not history:
            continue
        yield from _search_insertions(game)
        for person in match.persons:
            yield _INSERT_PERSON, (person, game.ended, game.room, game.match)


def _search_insertions(game: FinishedGame) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the statements for what is searched: the game, and each player with a name who is no bot."""
    key, searched = (game.room, game.match), (game.public, game.game, game.ended)
    yield _INSERT_GAME, (*key, *searched, stored_listing(game))
    names = {search_name(name) for name, bot in zip(game.names, game.bots, strict=True) if name and not bot}
    for name in sorted(names):
        yield _INSERT_PLAYER, (name, *key, *searched)


def pack_history(history: Sequence[Entry]) -> bytes:
    """Return a history as compressed bytes."""
    return zlib.compress(msgspec.msgpack.encode(tuple(history)))


def unpack_history(packed: bytes) -> Sequence[Entry]:
    """Return the history of compressed bytes."""
    return _decode_entries(zlib.decompress(packed))


def read_rooms(query: Query) -> Iterator[RoomId]:
    """Yield every archived room, read page by page."""
    last = ""
    while page := query(_SELECT_ROOMS, (last, PAGE_ROWS)):
        for (room,) in page:
            yield RoomId(room)
        last = page[-1][0]


def search_query(wanted: GameFilter) -> tuple[str, list[Any]]:
    """Return the SQL of a search and its values; an index has the rows of every search in their order."""
    sql, table = "select g.summary from finished_games g", "g"
    conditions: list[str] = []
    values: list[Any] = []
    if wanted.player:
        sql, table = f"{sql} join game_players p on p.room = g.room and p.match = g.match", "p"
        conditions.append("p.name = ?")
        values.append(search_name(wanted.player))
    conditions.append(f"{table}.public = ?")
    values.append(True)
    if wanted.game:
        conditions.append(f"{table}.game = ?")
        values.append(wanted.game)
    if wanted.since is not None:
        conditions.append(f"{table}.ended >= ?")
        values.append(wanted.since)
    if wanted.until is not None:
        conditions.append(f"{table}.ended < ?")
        values.append(wanted.until)
    key = f"{table}.ended, {table}.room, {table}.match"
    if wanted.after is not None:
        conditions.append(f"({key}) < (?, ?, ?)")
        values += wanted.after
    order = key.replace(",", " desc,") + " desc"
    return f"{sql} where {' and '.join(conditions)} order by {order} limit ?", [*values, wanted.limit]
