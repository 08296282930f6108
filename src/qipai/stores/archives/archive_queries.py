"""Rows and search queries that the SQL archives share; packs a history."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, search_name
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import RoomId

CREATE_TABLES: Final = (
    "create table if not exists archived_rooms (room text primary key, history {bytes} not null)",
    """create table if not exists finished_games (
        room text not null, match integer not null, game text not null, title text not null,
        public {flag} not null, began bigint not null, ended bigint not null, summary {bytes} not null,
        primary key (room, match))""",
    "create index if not exists finished_games_by_end on finished_games (ended, room, match)",
    """create table if not exists game_players (
        name text not null, ended bigint not null, room text not null, match integer not null,
        primary key (name, ended, room, match))""",
)
INSERT_ROOM: Final = "insert into archived_rooms values (?, ?) on conflict do nothing"
INSERT_GAME: Final = "insert into finished_games values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
INSERT_PLAYER: Final = "insert into game_players values (?, ?, ?, ?) on conflict do nothing"
SELECT_HISTORY: Final = "select history from archived_rooms where room = ?"
SELECT_ROOMS: Final = "select room from archived_rooms where room > ? order by room limit ?"
PAGE_ROWS: Final = 1000

_encode: Final = msgspec.json.Encoder().encode
_decode_entries: Final = msgspec.msgpack.Decoder(tuple[Entry, ...]).decode
_decode_game: Final = msgspec.json.Decoder(FinishedGame).decode


def pack(history: Sequence[Entry]) -> bytes:
    """Return a history as compressed bytes."""
    return zlib.compress(msgspec.msgpack.encode(tuple(history)))


def unpack(packed: bytes) -> Sequence[Entry]:
    """Return the history of compressed bytes."""
    return _decode_entries(zlib.decompress(packed))


def game_row(game: FinishedGame) -> tuple[Any, ...]:
    """Return the row of a game."""
    return (
        game.room, game.match, game.game, game.title, game.public, game.began, game.ended, _encode(game),
    )  # fmt: skip


def player_rows(game: FinishedGame) -> list[tuple[Any, ...]]:
    """Return a row for each player with a name; bots are not searched by name."""
    names = {search_name(name) for name, bot in zip(game.names, game.bots, strict=True) if name and not bot}
    return [(name, game.ended, game.room, game.match) for name in sorted(names)]


def read_game(summary: bytes) -> FinishedGame:
    """Return the game of a row."""
    return _decode_game(summary)


def read_rooms(query: Callable[[str, tuple[Any, ...]], Sequence[tuple[Any, ...]]]) -> Iterator[RoomId]:
    """Yield every archived room, read page by page."""
    last = ""
    while page := query(SELECT_ROOMS, (last, PAGE_ROWS)):
        for (room,) in page:
            yield RoomId(room)
        last = page[-1][0]


def search_query(wanted: GameFilter) -> tuple[str, list[Any]]:
    """Return the SQL of a search and its values."""
    sql = "select g.summary from finished_games g"
    conditions: list[str] = [] if wanted.unlisted else ["g.public"]
    values: list[Any] = []
    ended = "g.ended"
    if wanted.player:
        sql += " join game_players p on p.room = g.room and p.match = g.match"
        conditions.append("p.name = ?")
        values.append(search_name(wanted.player))
        ended = "p.ended"
    if wanted.game:
        conditions.append("g.game = ?")
        values.append(wanted.game)
    if wanted.since is not None:
        conditions.append(f"{ended} >= ?")
        values.append(wanted.since)
    if wanted.until is not None:
        conditions.append(f"{ended} < ?")
        values.append(wanted.until)
    if wanted.after is not None:
        conditions.append(f"({ended}, g.room, g.match) < (?, ?, ?)")
        values += wanted.after
    if conditions:
        sql += f" where {' and '.join(conditions)}"
    return f"{sql} order by {ended} desc, g.room desc, g.match desc limit ?", [*values, wanted.limit]
