"""Schema, rows and search queries that the SQL archives share."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.hall.history.archive_interface import (
    FinishedGame,
    PackedMatch,
    opponents_of,
    result_of,
    search_name,
)
from qipai.hall.journal.store_interface import Damaged, Entry, StoreError
from qipai.kernel.ids import RoomId
from qipai.stores.checksums import checksum
from qipai.stores.ratings import rating_tables
from qipai.stores.schema_number import Schema
from qipai.stores.sql.sql_database import Query

from .stored_history import pack_history
from .stored_listing import SearchedColumns, read_listing, searched_columns, stored_listing


def _add_checksums(query: Query) -> None:
    """Migrate schema 2, which had no checksums; its rows are read without."""
    for table in ("archived_rooms", "archived_matches", "finished_games"):
        query(f"alter table {table} add column checksum bigint", ())


_SEARCHED_TABLES: Final = {
    "finished_games": """create table if not exists finished_games (
        room text not null, match integer not null, public {flag} not null, game text not null,
        ended bigint not null, summary {bytes} not null, checksum bigint,
        primary key (room, match)){keyed}""",
    "game_players": """create table if not exists game_players (
        name text not null, public {flag} not null, ended bigint not null, room text not null,
        match integer not null, game text not null,
        primary key (name, public, ended, room, match)){keyed}""",
    "game_persons": """create table if not exists game_persons (
        person text not null, ended bigint not null, room text not null, match integer not null,
        public {flag} not null, game text not null, twist text not null, against text not null,
        result text not null,
        primary key (person, ended, room, match)){keyed}""",
}
"""What is searched, in the order of the primary key: rows beside an index would take the space twice."""
_EARLIER_PERSONS: Final = """create table if not exists game_persons (
    person text not null, ended bigint not null, room text not null, match integer not null,
    primary key (person, ended, room, match)){keyed}"""
"""The table of persons in schema 5 and before."""
_COPY_SEARCHED: Final = {
    "finished_games": """insert into finished_games (room, match, public, game, ended, summary, checksum)
        select room, match, public, game, ended, summary, checksum from earlier_finished_games""",
    "game_players": """insert into game_players (name, public, ended, room, match, game)
        select name, public, ended, room, match, game from earlier_game_players""",
    "game_persons": """insert into game_persons (person, ended, room, match)
        select person, ended, room, match from earlier_game_persons""",
}


def _key_searched_tables(query: Query) -> None:
    """Migrate schema 3, whose searched rows were beside their keys; archived matches stay as they are."""
    for table, copy in _COPY_SEARCHED.items():
        query(f"alter table {table} rename to earlier_{table}", ())
        query(_EARLIER_PERSONS if table == "game_persons" else _SEARCHED_TABLES[table], ())
        query(copy, ())
        query(f"drop table earlier_{table}", ())


def _add_ratings(query: Query) -> None:
    """Migrate schema 4, which had no ratings; no match in it was rated."""
    for statement in rating_tables.CREATE_TABLES:
        query(statement, ())


def _add_results(query: Query) -> None:
    """Migrate schema 5, which had only the persons of a game; their results follow from its listing."""
    query("alter table game_persons rename to earlier_game_persons", ())
    query(_SEARCHED_TABLES["game_persons"], ())
    last: tuple[Any, ...] = ("", 0, "", 0)
    while page := query(_SELECT_EARLIER_PERSONS, (*last, PAGE_ROWS)):
        for person, ended, *row in page:
            room, match, public, game = row[:4]
            try:
                values = person_row(person, read_row(*row))
            except StoreError:
                # If the account is deleted, the name is still removed from this match.
                values = (person, ended, room, match, public, game, "", "", "")
            query(_INSERT_PERSON, values)
            last = person, ended, room, match
    query("drop table earlier_game_persons", ())


SCHEMA: Final = Schema[Query](
    number=6,
    oldest=2,
    migrations={2: _add_checksums, 3: _key_searched_tables, 4: _add_ratings, 5: _add_results},
)
"""Archives of schema 1 have no table `archive_meta`, and no archived matches.

A migration is part of one transaction. In its statements `{bytes}` and `{flag}` stand for types of columns,
and `{keyed}` for what makes the primary key the order of the rows.
"""
_CREATE_TABLES: Final = (
    "create table if not exists archive_meta (key text primary key, value text not null)",
    """create table if not exists archived_rooms (
        room text primary key, history {bytes} not null, checksum bigint)""",
    """create table if not exists archived_matches (
        room text not null, match integer not null, body {bytes} not null, checksum bigint,
        primary key (room, match))""",
    *_SEARCHED_TABLES.values(),
    "create index if not exists games_by_end on finished_games (public, ended, room, match)",
    "create index if not exists games_by_game on finished_games (public, game, ended, room, match)",
    *rating_tables.CREATE_TABLES,
)
_SELECT_SCHEMA: Final = "select value from archive_meta where key = 'schema'"
_INSERT_SCHEMA: Final = "insert into archive_meta values ('schema', ?) on conflict do nothing"
_UPDATE_SCHEMA: Final = "update archive_meta set value = ? where key = 'schema'"
_INSERT_ROOM: Final = (
    "insert into archived_rooms (room, history, checksum) values (?, ?, ?) on conflict do nothing"
)
_INSERT_MATCH: Final = (
    "insert into archived_matches (room, match, body, checksum) values (?, ?, ?, ?) on conflict do nothing"
)
_INSERT_GAME: Final = (
    "insert into finished_games (room, match, public, game, ended, summary, checksum) "
    "values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
_INSERT_PLAYER: Final = (
    "insert into game_players (name, public, ended, room, match, game) values (?, ?, ?, ?, ?, ?) "
    "on conflict do nothing"
)
_INSERT_PERSON: Final = (
    "insert into game_persons (person, ended, room, match, public, game, twist, against, result) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
)
_SELECT_EARLIER_PERSONS: Final = """
    select o.person, o.ended, g.room, g.match, g.public, g.game, g.ended, g.summary, g.checksum
    from earlier_game_persons o join finished_games g on g.room = o.room and g.match = o.match
    where (o.person, o.ended, o.room, o.match) > (?, ?, ?, ?)
    order by o.person, o.ended, o.room, o.match limit ?"""
SELECT_HISTORY: Final = "select history, checksum from archived_rooms where room = ?"
SELECT_MATCH: Final = "select body, checksum from archived_matches where room = ? and match = ?"
SELECT_NUMBERS: Final = "select match from archived_matches where room = ? order by match"
_SELECT_ROOMS: Final = """
    select room from (select room from archived_rooms union select room from archived_matches) rooms
    where room > ? order by room limit ?"""
PAGE_ROWS: Final = 1000


def prepare(
    query: Query,
    has_table: str,
    name: str,
    *,
    bytes_type: str,
    flag_type: str,
    keyed: str,
    update_schema: bool,
) -> None:
    """Create the tables of an empty archive, or migrate an earlier schema; the caller has a transaction.

    Raise `StoreError` if the archive cannot be read, or if it must be migrated and `update_schema` is false:
    then nothing is written.
    `has_table` is a query that has a row if a table exists. `name` names the archive in the error.
    """

    def run(sql: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
        return query(sql.format(bytes=bytes_type, flag=flag_type, keyed=keyed), values)

    if query(has_table, ("archive_meta",)):
        rows = query(_SELECT_SCHEMA, ())
        if len(rows) != 1 or not str(rows[0][0]).isdecimal():
            raise Damaged(f"{name}: the number of its schema is damaged")
        found = int(rows[0][0])
    else:
        found = 1 if query(has_table, ("archived_rooms",)) else SCHEMA.number
    if not SCHEMA.is_earlier(name, found, update=update_schema) and not update_schema:
        return
    if found < SCHEMA.number:
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
        packed = pack_history(history)
        yield _INSERT_ROOM, (room, packed, checksum(room, packed))
    for match in matches:
        game = match.game
        body = match.body
        yield _INSERT_MATCH, (game.room, game.match, body, match_checksum(game.room, game.match, body))
        if not history or not game.moves:
            continue
        yield from search_insertions(game, match.persons)


def search_insertions(game: FinishedGame, persons: Sequence[str]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the statements for what is searched: the game, its persons, and each named player but bots."""
    columns, listing = searched_columns(game), stored_listing(game)
    yield _INSERT_GAME, (*columns, listing, listing_checksum(columns, listing))
    names = {search_name(name) for name, bot in zip(game.names, game.bots, strict=True) if name and not bot}
    for name in sorted(names):
        yield _INSERT_PLAYER, (name, game.public, game.ended, game.room, game.match, game.game)
    for person in persons:
        yield _INSERT_PERSON, person_row(person, game)


def person_row(person: str, game: FinishedGame) -> tuple[Any, ...]:
    """Return the row of one of the persons of a game."""
    against, result = opponents_of(game, person) or "", result_of(game, person) or ""
    return (
        person, game.ended, game.room, game.match, game.public, game.game, game.twist, str(against),
        str(result),
    )  # fmt: skip


def read_row(
    room: str, match: int, public: object, game: str, ended: int, listing: bytes, found: int | None
) -> FinishedGame:
    """Return the listed game of a row, or raise `StoreError` if it is damaged."""
    columns = SearchedColumns(room, match, bool(public), game, ended)
    if not isinstance(listing, bytes) or (found is not None and found != listing_checksum(columns, listing)):
        raise Damaged("its listing is damaged")
    return read_listing(listing, columns)


def match_checksum(room: str, match: int, body: bytes) -> int:
    """Return the checksum of an archived match."""
    return checksum(f"{room} {match}", body)


def listing_checksum(columns: SearchedColumns, listing: bytes) -> int:
    """Return the checksum of a listing and of what is searched."""
    room, match, public, game, ended = columns
    return checksum(f"{room} {match} {int(public)} {game} {ended}", listing)


def read_rooms(query: Query) -> Iterator[RoomId]:
    """Yield every archived room, read page by page."""
    last = ""
    while page := query(_SELECT_ROOMS, (last, PAGE_ROWS)):
        for (room,) in page:
            yield RoomId(room)
        last = page[-1][0]
