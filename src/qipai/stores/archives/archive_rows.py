"""What archives have in common: how a history is packed, and what a search asks of a database."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, folded
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import RoomId

TABLES: Final = (
    "create table if not exists histories (room text primary key, body {bytes} not null)",
    """create table if not exists games (
        room text not null, match integer not null, game text not null, title text not null,
        public {flag} not null, began bigint not null, ended bigint not null, body {bytes} not null,
        primary key (room, match))""",
    "create index if not exists games_ended on games (ended, room, match)",
    """create table if not exists players (
        name text not null, ended bigint not null, room text not null, match integer not null,
        primary key (name, ended, room, match))""",
)
KEEP_HISTORY: Final = "insert into histories values (?, ?) on conflict do nothing"
KEEP_GAME: Final = "insert into games values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing"
KEEP_PLAYER: Final = "insert into players values (?, ?, ?, ?) on conflict do nothing"
HISTORY: Final = "select body from histories where room = ?"
ROOMS: Final = "select room from histories where room > ? order by room limit ?"
PAGE: Final = 1000

_encode: Final = msgspec.json.Encoder().encode
_entries: Final = msgspec.msgpack.Decoder(tuple[Entry, ...]).decode
_game: Final = msgspec.json.Decoder(FinishedGame).decode


def pack(history: Sequence[Entry]) -> bytes:
    """Return a history as few bytes."""
    return zlib.compress(msgspec.msgpack.encode(tuple(history)))


def unpack(body: bytes) -> Sequence[Entry]:
    """Return a history that was packed."""
    return _entries(zlib.decompress(body))


def game_row(game: FinishedGame) -> tuple[Any, ...]:
    """Return the row of a game."""
    return (
        game.room, game.match, game.game, game.title, game.public, game.began, game.ended, _encode(game),
    )  # fmt: skip


def player_rows(game: FinishedGame) -> list[tuple[Any, ...]]:
    """Return a row for each player who has a name; bots have none of their own."""
    people = {folded(name) for name, bot in zip(game.names, game.bots, strict=True) if name and not bot}
    return [(name, game.ended, game.room, game.match) for name in sorted(people)]


def read_game(body: bytes) -> FinishedGame:
    """Return the game of a row."""
    return _game(body)


def rooms(ask: Callable[[str, tuple[Any, ...]], Sequence[tuple[Any, ...]]]) -> Iterator[RoomId]:
    """Yield every kept room, asked for page by page."""
    last = ""
    while page := ask(ROOMS, (last, PAGE)):
        for (room,) in page:
            yield RoomId(room)
        last = page[-1][0]


def query(wish: GameFilter) -> tuple[str, list[Any]]:
    """Return the question that a search asks, and its values."""
    asked = "select g.body from games g"
    conditions: list[str] = [] if wish.unlisted else ["g.public"]
    values: list[Any] = []
    ended = "g.ended"
    if wish.player:
        asked += " join players p on p.room = g.room and p.match = g.match"
        conditions.append("p.name = ?")
        values.append(folded(wish.player))
        ended = "p.ended"
    if wish.game:
        conditions.append("g.game = ?")
        values.append(wish.game)
    if wish.since is not None:
        conditions.append(f"{ended} >= ?")
        values.append(wish.since)
    if wish.until is not None:
        conditions.append(f"{ended} < ?")
        values.append(wish.until)
    if wish.after is not None:
        conditions.append(f"({ended}, g.room, g.match) < (?, ?, ?)")
        values += wish.after
    if conditions:
        asked += f" where {' and '.join(conditions)}"
    return f"{asked} order by {ended} desc, g.room desc, g.match desc limit ?", [*values, wish.limit]
