"""The journal in Redis as every store is: for starts, for tools beside the servers, for the contract."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from secrets import token_bytes, token_hex
from threading import Event, Thread
from typing import Any, Final, TypeVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from .lua_scripts import COMMIT, LEASE, LOAD, PREFIX, RELEASE, SHELVE, commit, read_entries, read_saved
from .redis_address import read

TIMEOUT: Final = 5.0
OLDEST: Final = (6, 2)
"""The first version of Redis that has all that is asked for."""
REMEMBERED: Final = 24 * 60 * 60
"""Seconds that a shelved room is still known here: a command that comes again must not open it anew."""
ALONE: Final = 15
"""Seconds that the store stays one tool's own after its last sign of life."""
_MOVING: Final = "moving"

T = TypeVar("T")


class RedisStore:
    """Waits for its answers, so it is no use within the event loop; `bus.Bus` is for that."""

    slow = True

    def __init__(self, address: str, worker: str = "tool") -> None:
        self._worker = worker
        try:
            place = read(address)
            if place.security is not None:
                place.security.context()  # Now, because later it is not told which file is wrong.
        except ValueError as error:
            # The address itself is never told: there may be a password in it.
            raise StoreError(f"store: the address of Redis cannot be read: {error}") from error
        waits: dict[str, Any] = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}
        # A connection may have been cut while nobody used it. What fails twice is told, not waited for.
        waits["retry"] = Retry(NoBackoff(), 1)
        # Left to itself the library says its name and asks for notices, which not every user may.
        manners: dict[str, Any] = {"protocol": 2, "driver_info": None, "redis_connect_func": _greet}
        self._client: Any = redis.Redis(**place.options(), **waits, **manners)
        self._commit = self._client.register_script(COMMIT)
        self._load = self._client.register_script(LOAD)
        self._shelve = self._client.register_script(SHELVE)
        self._release = self._client.register_script(RELEASE)
        found = self._ask(lambda: self._client.info("server"))["redis_version"]
        if tuple(map(int, str(found).split(".")[:2])) < OLDEST:
            raise StoreError(f"Redis {found} is too old, {OLDEST[0]}.{OLDEST[1]} or later is needed")

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write the rooms whose records follow; raise `Conflict` with the others."""
        lost = self._ask(lambda: self._commit(args=commit(self._worker, entries, snapshots)))
        if lost:
            raise Conflict(RoomId(room.decode()) for room in lost)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written."""
        return read_saved(room, self._ask(lambda: self._load(args=[room])))

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room."""
        return read_entries(room, self._ask(lambda: self._raw("XRANGE", f"{PREFIX}journal:{room}", "-", "+")))

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that were not closed."""
        return [RoomId(room.decode()) for room in self._ask(lambda: self._client.smembers(f"{PREFIX}living"))]

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return some rooms that were closed and not yet shelved, others each time, for servers to share."""
        found = self._ask(lambda: self._client.srandmember(f"{PREFIX}closed", limit))
        return [RoomId(room.decode()) for room in found]

    def unarchived_count(self) -> int:
        """Return how many these are."""
        return int(self._ask(lambda: self._client.scard(f"{PREFIX}closed")))

    def mark_archived(self, room: RoomId) -> None:
        """Forget the room in a day."""
        self._ask(lambda: self._shelve(args=[room, REMEMBERED]))

    def heartbeat(self, now: Millis) -> None:
        """Remember that a server is alive."""
        self._ask(lambda: self._client.set(f"{PREFIX}beat", now))

    def last_heartbeat(self) -> Millis:
        """Return the last sign of life."""
        return Millis(int(self._ask(lambda: self._client.get(f"{PREFIX}beat")) or 0))

    def secret(self) -> bytes:
        """Return the signing key."""
        self._ask(lambda: self._client.setnx(f"{PREFIX}secret", token_bytes(32)))
        return bytes(self._ask(lambda: self._client.get(f"{PREFIX}secret")))

    def import_secret(self, secret: bytes) -> None:
        """Sign with another key."""
        self._ask(lambda: self._client.set(f"{PREFIX}secret", secret))

    def warnings(self) -> list[str]:
        """Return what Redis should do otherwise with a journal."""
        told = self._ask(self._client.info)
        found = []
        if not told.get("aof_enabled"):
            found.append("appendonly is off: tables are lost when Redis ends")
        if told.get("maxmemory") and told.get("maxmemory_policy") != "noeviction":
            found.append("maxmemory-policy is not noeviction: tables are lost when memory runs out")
        if told.get("role") != "master":
            found.append("it is a replica: it takes no records, the address must lead to its primary")
        return found

    def crew(self) -> int:
        """Return how many workers are alive."""
        return int(self._ask(lambda: self._client.zcount(f"{PREFIX}workers", self.time() - LEASE, "+inf")))

    def migrating(self) -> bool:
        """Tell whether a tool has the store for itself."""
        return bool(self._ask(lambda: self._client.exists(f"{PREFIX}lock:{_MOVING}")))

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Let no worker begin meanwhile; raise `StoreError` if any is there, before or after."""
        token, key, done = token_hex(8), f"{PREFIX}lock:{_MOVING}", Event()
        # First this is said, then it is looked who is there; workers do it the other way round.
        if not self._ask(lambda: self._client.set(key, token, nx=True, ex=ALONE)):
            raise StoreError("tables are being moved in or out of this Redis already")

        def stay() -> None:
            while not done.wait(ALONE / 3):
                with suppress(redis.RedisError):
                    self._client.expire(key, ALONE)

        staying = Thread(target=stay, daemon=True)
        staying.start()
        try:
            if crew := self.crew():
                raise StoreError(
                    f"Redis is in use by {crew} running worker{'s' if crew > 1 else ''}: stop all of them"
                )
            yield
            if self.crew() or self._ask(lambda: self._client.get(key)) != token.encode():
                raise StoreError("a worker began meanwhile, so this is worth nothing: stop it and begin anew")
        finally:
            done.set()
            staying.join()
            with suppress(StoreError):
                self._ask(lambda: self._release(args=[token, _MOVING]))

    def time(self) -> Millis:
        """Return what time it is for Redis."""
        seconds, micros = self._ask(self._client.time)
        return Millis(seconds * 1000 + micros // 1000)

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def _raw(self, *words: Any) -> Any:
        # The client's own reading of streams makes dictionaries of them.
        self._client.response_callbacks.pop(words[0], None)
        return self._client.execute_command(*words)

    def _ask(self, question: Callable[[], T]) -> T:
        try:
            return question()
        except redis.RedisError as error:
            raise StoreError(f"Redis: {error}") from error


def _greet(connection: Any) -> None:
    """Log in, and hear one answer: what TLS sends of its own accord must not be taken for another."""
    connection.on_connect()
    connection.send_command("PING")
    connection.read_response()
