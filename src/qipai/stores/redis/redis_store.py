"""The Store interface on Redis, blocking: for start-up and commands."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from secrets import token_bytes, token_hex
from threading import Event, Thread
from time import sleep
from typing import Any, Final, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.schema_number import Schema

from .lua_scripts import COMMIT, LOAD, MARK_ARCHIVED, PREFIX, SCHEMA_NUMBER, UNLOCK
from .redis_address import parse_redis_url
from .script_replies import commit_arguments, read_entries, read_saved
from .worker_heartbeat import DEAD_AFTER, HEARTBEAT_SECONDS

TIMEOUT: Final = 5.0
OLDEST_VERSION: Final = (6, 2)
"""First version of Redis that has all commands in use."""
ARCHIVED_ROOM_SECONDS: Final = 24 * 60 * 60
"""Seconds until an archived room is deleted: a repeated command must not open it again."""
SCHEMA: Final = Schema[Any](number=SCHEMA_NUMBER, oldest=3, migrations={3: lambda _: None})
"""3 is the first schema that every later release reads. A migration gets the Redis client; it is repeated
if it was interrupted, so it must give the same result from any state in which it stopped.

What schema 3 wrote has no checksums and is read without. Its workers must not run beside those of schema 4:
they would leave an old checksum beside a new snapshot."""
LAST_WITHOUT_SCHEMA: Final = 2
"""Earlier releases did not write their schema to Redis."""
KEY_WAIT: Final = 1.5 * HEARTBEAT_SECONDS
"""Seconds for which a missing signing key may still be written by a worker that runs."""
KEY_POLL: Final = 0.05
EXCLUSIVE_SECONDS: Final = 15
"""Seconds for which an export, import or update has exclusive use after it last extended that time."""
_MIGRATION: Final = "migration"

T = TypeVar("T")


class RedisStore:
    """Blocks until Redis replies, so it must not be used on the event loop; `RedisBus` is for that.

    With `update_schema` a Redis of an earlier schema is migrated, without it is refused.
    """

    slow = True

    def __init__(self, url: str, worker: str = "tool", *, update_schema: bool = True) -> None:
        self._worker = worker
        try:
            address = parse_redis_url(url)
            if address.tls is not None:
                address.tls.context()  # Checked here: later errors do not name the file.
        except ValueError as error:
            # The URL is not printed: it may contain a password.
            raise StoreError(f"store: invalid Redis URL: {error}") from error
        timeouts: dict[str, Any] = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}
        # One retry, because an idle connection may have been closed by the other side.
        timeouts["retry"] = Retry(NoBackoff(), 1)
        # By default the library sends CLIENT SETINFO and HELLO, which an ACL may forbid.
        handshake: dict[str, Any] = {"protocol": 2, "driver_info": None, "redis_connect_func": _on_connect}
        self._client: Any = redis.Redis(**address.options(), **timeouts, **handshake)
        self._commit = self._client.register_script(COMMIT)
        self._load = self._client.register_script(LOAD)
        self._mark_archived = self._client.register_script(MARK_ARCHIVED)
        self._unlock = self._client.register_script(UNLOCK)
        version = self.server_version()
        if tuple(map(int, version.split(".")[:2])) < OLDEST_VERSION:
            needed = ".".join(map(str, OLDEST_VERSION))
            raise StoreError(f"Redis {version} is too old; version {needed} or later is needed")
        # A server writes the schema before the secret, so the secret is read first.
        used = self._call(lambda: self._client.exists(f"{PREFIX}secret"))
        found = self._read_schema()
        if (used or found is not None) and SCHEMA.is_earlier(
            "Redis", LAST_WITHOUT_SCHEMA if found is None else found, update=update_schema
        ):
            self._migrate_schema()

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write the rooms whose versions are consecutive; raise `Conflict` with the others."""
        arguments = commit_arguments(self._worker, entries, snapshots)
        conflicts = self._call(lambda: self._commit(args=arguments))
        if conflicts:
            raise Conflict(RoomId(room.decode()) for room in conflicts)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None."""
        return read_saved(room, self._call(lambda: self._load(args=[room])))

    def snapshot(self, room: RoomId) -> Snapshot | None:
        """Return the last snapshot of the room."""
        saved = self.load(room)
        return None if saved is None else saved.snapshot

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        """Return the records of the room after a version, oldest first."""
        stream = self._call(lambda: self._raw("XRANGE", f"{PREFIX}journal:{room}", f"{after + 1}", "+"))
        return read_entries(room, stream)

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that are not closed."""
        rooms = self._call(lambda: self._client.smembers(f"{PREFIX}open_rooms"))
        return [RoomId(room.decode()) for room in rooms]

    def quarantined(self) -> Mapping[RoomId, str]:
        """Return nothing: a damaged room is found each time it is read."""
        return {}

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return up to `limit` closed rooms that are not archived, at random: workers share the work."""
        rooms = self._call(lambda: self._client.srandmember(f"{PREFIX}unarchived", limit))
        return [RoomId(room.decode()) for room in rooms]

    def unarchived_count(self) -> int:
        """Return the number of rooms that are closed and not archived."""
        return int(self._call(lambda: self._client.scard(f"{PREFIX}unarchived")))

    def mark_archived(self, room: RoomId) -> None:
        """Delete a closed room after a day."""
        self._call(lambda: self._mark_archived(args=[room, ARCHIVED_ROOM_SECONDS]))

    def reclaim(self, now: Millis) -> bool:
        """Do nothing: Redis deletes archived rooms by itself."""
        return False

    def heartbeat(self, now: Millis) -> None:
        """Record that a server is alive."""
        self._call(lambda: self._client.set(f"{PREFIX}heartbeat", now))

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        return Millis(int(self._call(lambda: self._client.get(f"{PREFIX}heartbeat")) or 0))

    def outage(self) -> Millis:
        """Return 0: workers end the outage of each room when they read it."""
        return Millis(0)

    def set_outage(self, began: Millis) -> None:
        """Do nothing, as for `outage`."""

    def secret(self, proposed: bytes = b"") -> bytes:
        """Return the key that signs tokens; the first call creates it.

        If Redis has just lost its data, the list of workers is lost too. Those that run write their key with
        their next heartbeat, so a new key is created only after that time.
        """
        self._call(lambda: self._client.setnx(f"{PREFIX}schema", SCHEMA.number))
        waited = KEY_WAIT if proposed else 0.0
        while waited < KEY_WAIT and not self._call(lambda: self._client.exists(f"{PREFIX}secret")):
            sleep(KEY_POLL)
            waited += KEY_POLL
        self._call(lambda: self._client.setnx(f"{PREFIX}secret", proposed or token_bytes(32)))
        found = self._call(lambda: self._client.get(f"{PREFIX}secret"))
        # Redis lost its data between these two calls.
        return self.secret(proposed) if found is None else bytes(found)

    def import_secret(self, secret: bytes) -> None:
        """Replace the key that signs tokens."""
        self._call(lambda: self._client.setnx(f"{PREFIX}schema", SCHEMA.number))
        self._call(lambda: self._client.set(f"{PREFIX}secret", secret))

    def server_version(self) -> str:
        """Return the version of Redis."""
        return str(self._call(lambda: self._client.info("server"))["redis_version"])

    def warnings(self) -> list[str]:
        """Return one line for each setting of Redis that risks data."""
        info = self._call(self._client.info)
        warnings = []
        if not info.get("aof_enabled"):
            warnings.append("appendonly is off: tables are lost when Redis stops")
        if info.get("maxmemory") and info.get("maxmemory_policy") != "noeviction":
            warnings.append("maxmemory-policy is not noeviction: tables are lost when memory runs out")
        if info.get("role") != "master":
            warnings.append("this is a replica, which accepts no writes: use the address of its primary")
        return warnings

    def live_workers(self) -> int:
        """Return the number of workers that are alive."""
        oldest = self.time() - DEAD_AFTER
        return int(self._call(lambda: self._client.zcount(f"{PREFIX}workers", oldest, "+inf")))

    def migrating(self) -> bool:
        """Tell whether an export, an import or an update has exclusive use of the store."""
        return bool(self._call(lambda: self._client.exists(f"{PREFIX}lock:{_MIGRATION}")))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Have exclusive use of the store; raise `StoreError` if a worker uses it, before or after."""
        token, key, finished = token_hex(8), f"{PREFIX}lock:{_MIGRATION}", Event()
        # First the lock, then the check for workers; a worker does it in the opposite order.
        if not self._call(lambda: self._client.set(key, token, nx=True, ex=EXCLUSIVE_SECONDS)):
            raise StoreError("an export, an import or an update already uses this Redis")

        def extend_lock() -> None:
            while not finished.wait(EXCLUSIVE_SECONDS / 3):
                with suppress(redis.RedisError):
                    self._client.expire(key, EXCLUSIVE_SECONDS)

        extending = Thread(target=extend_lock, daemon=True)
        extending.start()
        try:
            if workers := self.live_workers():
                plural = "s" if workers > 1 else ""
                raise StoreError(f"Redis is in use by {workers} running worker{plural}: stop all of them")
            yield
            if self.live_workers() or self._call(lambda: self._client.get(key)) != token.encode():
                raise StoreError(
                    "a worker started in the meantime, so the result is invalid: stop it and retry"
                )
        finally:
            finished.set()
            extending.join()
            with suppress(StoreError):
                self._call(lambda: self._unlock(args=[token, _MIGRATION]))

    def time(self) -> Millis:
        """Return the time of Redis."""
        seconds, micros = self._call(self._client.time)
        return Millis(seconds * 1000 + micros // 1000)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _read_schema(self) -> int | None:
        schema = self._call(lambda: self._client.get(f"{PREFIX}schema"))
        return None if schema is None else int(schema)

    def _migrate_schema(self) -> None:
        """Migrate an earlier schema; raise `StoreError` if a worker, an export or an import uses Redis."""
        with self.exclusive():
            found = self._read_schema() or 0  # Another server may have migrated it in the meantime.
            if SCHEMA.is_earlier("Redis", found, update=True):
                for number, migrate in SCHEMA.steps(found):
                    self._call(partial(migrate, self._client))
                    self._call(partial(self._client.set, f"{PREFIX}schema", number))

    def _raw(self, *words: Any) -> Any:
        # Without the client's own parser, which turns streams into dictionaries.
        self._client.response_callbacks.pop(words[0], None)
        return self._client.execute_command(*words)

    def _call(self, command: Callable[[], T]) -> T:
        try:
            return command()
        except redis.RedisError as error:
            raise StoreError(f"Redis: {error}") from error


def _on_connect(connection: Any) -> None:
    """Log in and wait for one reply, so that TLS session tickets are not taken for a reply."""
    connection.on_connect()
    connection.send_command("PING")
    connection.read_response()
