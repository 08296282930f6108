"""What is kept of a schema: a real database of a small server, and what its rooms and matches show."""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
import redis
from msgspec.structs import replace

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive, GameFilter
from qipai.hall.history.archived_match import ArchivedMatch, pack, unpack
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.rating_rebuild import compare
from qipai.hall.journal.room_rebuilding import encode, restore, retrace
from qipai.hall.journal.store_interface import Store
from qipai.kernel.ids import RoomId
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.memory_store import MemoryStore
from qipai.stores.redis.redis_store import RedisStore
from qipai.stores.sqlite_backup import copy_journal
from qipai.stores.sqlite_store import SqliteStore
from tests.support.redis import RedisServer

from .kept_files import assert_shown, final_views
from .kept_matches import GAMES_KEPT, digest, play
from .kept_servers import run_server

JOURNAL_FILE: Final = "journal.db.gz"
ARCHIVE_COPY: Final = "archive.db.gz"
REDIS_COMMANDS: Final = "redis.json.gz"
SHOWN: Final = "shown.json"
RATED: Final = RoomId("rated0000000")
TYPES_OF_POSTGRESQL: Final = {" blob ": " bytea ", "public integer": "public boolean", " without rowid": ""}


def write_sqlite(folder: Path) -> None:
    """Write the journal of a server as a backup copies it while the server runs."""
    with TemporaryDirectory() as name, closing(open_archive(Path(name), "")) as archive:
        data = Path(name)
        store = SqliteStore(data / "journal.db")
        with run_server(store, archive):
            copy_journal(data / "journal.db", data / "copy.db")
            _write_shown(folder, shown_of_store(store))
        _write(folder / JOURNAL_FILE, (data / "copy.db").read_bytes())


@contextmanager
def open_kept_sqlite(folder: Path, data: Path) -> Iterator[Store]:
    """Open a copy of a kept journal."""
    (data / "journal.db").write_bytes(gzip.decompress((folder / JOURNAL_FILE).read_bytes()))
    with closing(SqliteStore(data / "journal.db")) as store:
        yield store


def write_redis(folder: Path) -> None:
    """Write what a server stores in Redis, as the commands that restore it."""
    with TemporaryDirectory() as name, RedisServer(Path(name)) as server:
        store = RedisStore(server.address)
        store.slow = False  # The simulated hall has no time in which a thread could write.
        with (
            closing(open_archive(Path(name), "")) as archive,
            closing(redis.Redis.from_url(server.address)) as client,
            run_server(store, archive),
        ):
            _write_shown(folder, shown_of_store(store))
            commands = [list(map(_text, command)) for command in _restore_commands(client)]
        _write(folder / REDIS_COMMANDS, encode(commands))


@contextmanager
def open_kept_redis(folder: Path, data: Path) -> Iterator[Store]:
    """Open an empty Redis server after the kept commands."""
    commands = json.loads(gzip.decompress((folder / REDIS_COMMANDS).read_bytes()))
    with RedisServer(data) as server:
        client: Any = redis.Redis.from_url(server.address)
        with closing(client):
            for command in commands:
                client.execute_command(*(word.encode("latin-1") for word in command))
        with closing(RedisStore(server.address)) as store:
            yield store


def write_archive(folder: Path) -> None:
    """Write an archive with the match of a server, one with hidden information, and a rated one."""
    with TemporaryDirectory() as data:
        with closing(open_archive(Path(data), "")) as archive:
            with run_server(MemoryStore(), archive):
                pass
            entries = play(*GAMES_KEPT["chess-fog"]).entries
            matches = [pack(match) for match in archive_matches(GAMES, entries)]
            archive.store(entries[0].room, entries, matches)
            archive.store(RATED, (), [pack(_as_rated(match)) for match in archive_matches(GAMES, entries)])
            _write_shown(folder, shown_of_archive(archive))
        _write(folder / ARCHIVE_COPY, (Path(data) / ARCHIVE_FILE).read_bytes())


def _as_rated(match: ArchivedMatch) -> ArchivedMatch:
    """Return a match as if it had been played at a rated table and ended by a resignation."""
    table = {**match.table, "rated": True}
    return replace(match, room=RATED, table=table, winners=(0,), reason="resigned", ranks=(1, 2))


@contextmanager
def open_kept_archive(folder: Path, data: Path) -> Iterator[Archive]:
    """Open a copy of a kept archive."""
    (data / ARCHIVE_FILE).write_bytes(gzip.decompress((folder / ARCHIVE_COPY).read_bytes()))
    with closing(open_archive(data, "")) as archive:
        yield archive


def copy_archive_to_postgres(folder: Path, data: Path, url: str) -> None:
    """Write the tables and rows of a kept archive into an empty PostgreSQL database."""
    import psycopg

    (data / "kept.db").write_bytes(gzip.decompress((folder / ARCHIVE_COPY).read_bytes()))
    with closing(sqlite3.connect(data / "kept.db")) as kept, psycopg.connect(url) as target:
        created = kept.execute("select type, name, sql from sqlite_master where sql is not null").fetchall()
        for kind, table, sql in sorted(created, reverse=True):  # Tables before their indexes.
            target.execute(_for_postgresql(sql))
            if kind == "table":
                rows = kept.execute(f"select * from {table}")
                names = [column[0] for column in rows.description]
                for row in rows:
                    values = [
                        bool(value) if name == "public" else value
                        for name, value in zip(names, row, strict=True)
                    ]
                    places = ", ".join(["%s"] * len(values))
                    target.execute(f"insert into {table} values ({places})".encode(), values)


def _for_postgresql(sql: str) -> bytes:
    for ours, theirs in TYPES_OF_POSTGRESQL.items():
        sql = sql.replace(ours, theirs)
    return sql.encode()


def check_shown(folder: Path, shown: Any) -> None:
    """Check that a database shows the same rooms as when it was kept, and at least the same of each."""
    then, now = json.loads((folder / SHOWN).read_bytes()), json.loads(encode(shown))
    assert set(then) == set(now)
    assert_shown(then, now, folder.name)
    for part in ("rooms", "views", "listed"):
        assert set(then.get(part, ())) == set(now.get(part, ()))


def shown_of_store(store: Store) -> dict[str, Any]:
    """Return what a store has of each room, after checking that snapshots and records agree."""
    open_rooms, closed = sorted(store.open_rooms()), sorted(store.closed(99))
    assert open_rooms
    assert closed
    views: dict[RoomId, Any] = {}
    for room in (*open_rooms, *closed):
        saved = store.load(room)
        assert saved is not None
        game, loaded, _ = restore(GAMES, saved)
        history = store.history(room)
        assert [entry.version for entry in history] == list(range(1, loaded.version + 1))
        assert list(retrace(GAMES, history))[-1].room == loaded
        views[room] = final_views(game, loaded)
    assert len(store.secret()) == 32
    return {"open": open_rooms, "closed": closed, "views": views, "last_heartbeat": store.last_heartbeat()}


def shown_of_archive(archive: Archive) -> dict[str, Any]:
    """Return what an archive has of each room, and what a search lists."""
    rooms = {
        room: {
            "records": [entry.body.decode() for entry in archive.history(room)],
            "matches": {each: _shown_of_match(archive, room, each) for each in archive.match_numbers(room)},
        }
        for room in archive.rooms()
    }
    players = {
        name: [game.room for game in archive.search(GameFilter(player=name))] for name in ("Bo", "Bob")
    }
    assert all(players.values())
    listed = {game.room: msgspec.to_builtins(game) for game in archive.search(GameFilter())}
    shown: dict[str, Any] = {"rooms": rooms, "listed": listed, "players": players}
    if (ratings := archive.ratings.all())[0]:
        last, found = ratings
        shown["sequence"] = [list(each) for each in archive.ratings.sequence()]
        shown["ratings"] = [[*key, each] for key, each in sorted(found.ratings.items())]
        shown["changes"] = [found.changes[key] for key in sorted(found.changes)]
        assert last == len(shown["sequence"])
        assert compare(archive) == []
    return shown


def _shown_of_match(archive: Archive, room: RoomId, number: int) -> dict[str, Any]:
    body = archive.match(room, number)
    assert body is not None
    match = unpack(body)
    digests = {viewpoint: digest(match, viewpoint) for viewpoint in match.viewpoints}
    return {"rules": match.rules, "persons": match.persons, "record": match.record, "digests": digests}


def _restore_commands(client: Any) -> Iterator[list[Any]]:
    """Yield the commands that write every key of a Redis."""
    for key in sorted(client.keys()):
        match client.type(key):
            case b"string":
                yield ["SET", key, client.get(key)]
            case b"set":
                yield ["SADD", key, *sorted(client.smembers(key))]
            case b"hash":
                yield ["HSET", key, *(word for pair in sorted(client.hgetall(key).items()) for word in pair)]
            case b"zset":
                for member, score in client.zrange(key, 0, -1, withscores=True):
                    yield ["ZADD", key, repr(score), member]
            case b"stream":
                for number, fields in client.xrange(key):
                    yield ["XADD", key, number, *(word for pair in fields.items() for word in pair)]
            case other:
                raise AssertionError(f"{key}: a key of type {other}")


def _text(word: str | bytes) -> str:
    return word if isinstance(word, str) else word.decode("latin-1")


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(gzip.compress(content, 9, mtime=0))


def _write_shown(folder: Path, shown: Any) -> None:
    (folder / SHOWN).write_bytes(msgspec.json.format(encode(shown), indent=1) + b"\n")
