"""How workers share tables through Redis: two lines on the event loop, one to ask and one to listen."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from qipai.hall.cluster.bus_interface import BusListener, CatchUp, LeaseClaim, Mail, Outage
from qipai.hall.journal.store_interface import Conflict, Entry, Now, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from .gap_detection import GapDetector
from .lua_scripts import (
    BEAT,
    CLAIM,
    COMMIT,
    ENROLL,
    FOLLOW,
    HOLD,
    KEEP,
    LEASE,
    LEAVE,
    LOAD,
    NOTE,
    PREFIX,
    RELEASE,
    SCRIPTS,
    UNFOLLOW,
    commit,
    read_caught,
    read_claimed,
    read_entries,
    read_hint,
    read_room,
    read_rooms,
    read_saved,
)
from .redis_connection import RedisConnection, answer, connect, listen
from .shared_counters import LEDGER, RedisCounters
from .snapshot_feed import SnapshotFeed

BEAT_SECONDS: Final = 0.5
CHECK_BEATS: Final = 20
"""Every so many beats it is asked whether anything was missed, though nothing seems to be."""
CHUNK: Final = 500
RETRY: Final = (0.05, 1.0)
LOCK_MILLIS: Final = 1_000
LOCK_TRIES: Final = 100
LOCK_PAUSE: Final = 0.02

_sha: Final = {script: hashlib.sha1(script.encode()).hexdigest() for script in SCRIPTS}  # noqa: S324 - Redis names scripts so


class RedisBus:
    """Connects again by itself. `steady` is this machine's clock; `now` is that of Redis."""

    def __init__(self, address: str, worker: str, steady: Now, people: Callable[[], int] = lambda: 0) -> None:
        self.worker = worker
        self.people = people
        self.address = ""
        self.mail: Mail = lambda _worker, _key, _body: None
        self._address = address
        self._steady = steady
        self._offset = 0
        self._last = Millis(0)
        self._met = Millis(0)
        self._asking: RedisConnection | None = None
        self._hearing: RedisConnection | None = None
        self._tables = SnapshotFeed(self.load)
        self._beats = 0
        self._hints = GapDetector()
        self._checking = self._wanted = False
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.Task[None] | None = None
        self._closed = False
        self._listener: BusListener
        self._locks: set[str] = set()
        self.counters = RedisCounters(self._ask, worker)

    # Life

    async def tune(self) -> None:
        """Learn what time it is; a clock that was ahead at first would stand still until that time."""
        line = await connect(self._address, lambda: None)
        try:
            seconds, micros = await answer(line, "TIME")
        finally:
            line.close()
        self._offset = int(seconds) * 1000 + int(micros) // 1000 - self._steady()
        self._tables.begin(int(seconds))

    async def start(self, listener: BusListener) -> None:
        """Connect and begin to beat, or raise `StoreError`."""
        self._listener = self._tables.listener = listener
        await self._connect()
        self._beat()
        if self._asking is not None:
            # When this is answered the beat is: it is known how long nobody was here.
            await answer(self._asking, "PING")

    async def close(self) -> None:
        """Let go of every room and hang up."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._again is not None:
            self._again.cancel()
        if self._asking is not None and self._asking.open:
            # What is left behind because of an error is cleared by the others.
            with suppress(StoreError):
                await answer(self._asking, "EVALSHA", _sha[LEAVE], 0, self.worker)
        for line in (self._asking, self._hearing):
            if line is not None:
                line.close()

    @property
    def open(self) -> bool:
        """Tell whether Redis is in reach."""
        return self._asking is not None and self._asking.open

    def now(self) -> Millis:
        """Return the time of Redis, never earlier than before."""
        self._last = Millis(max(self._last, self._steady() + self._offset))
        return self._last

    async def _connect(self) -> None:
        asking = await connect(self._address, self._broke)
        try:
            for script in (*SCRIPTS, *LEDGER):
                await answer(asking, "SCRIPT", "LOAD", script)
            channels = tuple(f"{PREFIX}{name}" for name in (f"worker:{self.worker}", "tables", "all"))
            # A worker that follows and cannot be told of a record is struck from the followers.
            hearing = await listen(self._address, self._broke, self._pushed, channels)
        except StoreError:
            asking.close()
            raise
        if not (asking.open and hearing.open):
            asking.close()
            hearing.close()
            raise StoreError("Redis: the connection broke")
        self._asking, self._hearing = asking, hearing

    def _broke(self) -> None:
        lines, self._asking, self._hearing = (self._asking, self._hearing), None, None
        if lines == (None, None):
            return
        for line in lines:
            if line is not None:
                line.close()
        if not self._closed:
            self._listener.cut()
            self._again = asyncio.get_running_loop().create_task(self._reconnect())

    async def _reconnect(self) -> None:
        pause = RETRY[0]
        while True:
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - so that not all come at once
            pause = min(2 * pause, RETRY[1])
            try:
                await self._connect()
            except StoreError:
                continue
            self._met = Millis(0)
            # Only those of a worker that is known to be alive are enrolled.
            self._pulse()
            self._listener.back()
            return

    # Asking

    def _ask(self, done: Callable[[Any], None], *words: Any) -> None:
        if self._asking is None:
            asyncio.get_running_loop().call_soon(done, StoreError("Redis is out of reach"))
        else:
            self._asking.ask(words, done)

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> "asyncio.Future[None]":
        """Write a batch."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done = partial(_written, written)
        self._ask(done, "EVALSHA", _sha[COMMIT], 0, *commit(self.worker, entries, snapshots))
        return written

    def load(self, room: RoomId, done: Callable[[Saved | StoreError | None], None]) -> None:
        """Read a room."""
        self._ask(lambda told: done(_read(told, partial(read_saved, room))), "EVALSHA", _sha[LOAD], 0, room)

    def find(self, code: str, done: Callable[[RoomId | StoreError | None], None]) -> None:
        """Find the room of a code."""
        self._ask(lambda told: done(_read(told, read_room)), "HGET", f"{PREFIX}codes", code)

    def open_rooms(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read which rooms live."""
        self._ask(lambda told: done(_read(told, read_rooms)), "SMEMBERS", f"{PREFIX}living")

    def subscribe(self, room: RoomId, version: int, done: Callable[[CatchUp | StoreError], None]) -> None:
        """Hear of a room, and read what is missing."""
        words = ("EVALSHA", _sha[FOLLOW], 0, self.worker, room, version)
        self._ask(lambda told: done(_read(told, partial(read_caught, room, version))), *words)

    def unsubscribe(self, room: RoomId) -> None:
        """Hear no more of a room."""
        self._ask(_ignored, "EVALSHA", _sha[UNFOLLOW], 0, self.worker, room)

    def subscriptions(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read which rooms this worker is said to follow."""
        self._ask(lambda told: done(_read(told, read_rooms)), "SMEMBERS", f"{PREFIX}follows:{self.worker}")

    def announce_member(self, room: RoomId, number: int, place: bytes) -> None:
        """Tell who is here."""
        self._ask(_ignored, "EVALSHA", _sha[ENROLL], 0, self.worker, room, number, place)

    def send_room_message(self, room: RoomId, note: bytes) -> None:
        """Say something to all who follow a room."""
        self._ask(_ignored, "EVALSHA", _sha[NOTE], 0, self.worker, room, note)

    def broadcast(self, note: bytes) -> None:
        """Say something to all."""
        self._ask(_ignored, "PUBLISH", f"{PREFIX}all", self.worker.encode() + b"\n" + note)

    def lock(self, name: str, then: Callable[[bool], None], tries: int = LOCK_TRIES) -> None:
        """Have a lock; whoever waits too long goes on without, which loses a race at worst."""
        if name in self._locks:
            self._held(name, then, tries, None)
            return
        words = ("EVALSHA", _sha[HOLD], 0, self.worker, name, LOCK_MILLIS, self._tables.last)
        self._ask(partial(self._held, name, then, tries), *words)

    def _held(self, name: str, then: Callable[[bool], None], tries: int, told: Any) -> None:
        if isinstance(told, StoreError):
            then(False)
        elif told is None and tries:
            again = partial(self.lock, name, then, tries - 1)
            asyncio.get_running_loop().call_later(LOCK_PAUSE * random.uniform(0.5, 1.0), again)  # noqa: S311 - as above
        else:
            self._locks.add(name)
            self._tables.learn(told or [], then)

    def unlock(self, name: str) -> None:
        """Give a lock back."""
        self._locks.discard(name)
        self._ask(_ignored, "EVALSHA", _sha[RELEASE], 0, self.worker, name)

    def store_lease(self, key: str, body: bytes, seconds: int) -> None:
        """Leave something for others for a while; with nothing, take it back."""
        self._ask(_ignored, "EVALSHA", _sha[KEEP], 0, self.worker, key, body, seconds)

    def extend_lease(self, key: str, seconds: int) -> None:
        """Leave it for a while from now on."""
        self._ask(_ignored, "EXPIRE", f"{PREFIX}left:{key}", seconds)

    def claim_lease(
        self, key: str, body: bytes, done: Callable[[LeaseClaim | StoreError | None], None]
    ) -> None:
        """Take over what another worker has left."""
        words = ("EVALSHA", _sha[CLAIM], 0, self.worker, key, body)
        self._ask(lambda told: done(_read(told, read_claimed)), *words)

    def send_to_worker(self, worker: str, key: str, body: bytes) -> None:
        """Say something to one worker."""
        message = f"m {self.worker} {key}\n".encode() + body
        self._ask(_ignored, "PUBLISH", f"{PREFIX}worker:{worker}", message)

    async def where(self, worker: str) -> str:
        """Return the address of a worker; empty if there is none, or nobody knows now."""
        if self._asking is None:
            return ""
        try:
            told = await answer(self._asking, "HGET", f"{PREFIX}addresses", worker)
        except StoreError:
            return ""
        return "" if told is None else str(told.decode())

    # Listening

    def _pushed(self, told: Any) -> None:
        if not isinstance(told, list) or told[0] != b"message":
            return
        channel, message = told[1], told[2]
        head, _, body = message.partition(b"\n")
        words = head.decode().split(" ")
        if channel.endswith(b":tables"):
            worker, _, room, version, live = words
            if worker != self.worker:
                self._listener.shown(Snapshot(RoomId(room), int(version), live == "1", body))
        elif channel.endswith(b":all"):
            if words[0] != self.worker:
                self._listener.called(body)
        elif words[0] == "r":
            room = RoomId(words[2])
            self._listener.heard(room, read_hint(room, words[3:], body))
            if self._hints.came(int(words[1])):
                self._check_rooms()
        elif words[0] == "p":
            self._listener.placed(RoomId(words[1]), words[2], body)
        elif words[0] == "m":
            self.mail(words[1], words[2], body)
        else:
            self._listener.noted(RoomId(words[1]), body)

    # Beating

    def _beat(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)
        self._pulse()
        self._beats += 1
        self._ask(self._checked, "XREAD", "STREAMS", f"{PREFIX}tables", self._tables.last)
        if self._beats % CHECK_BEATS == 0:
            self._check_rooms()

    def _pulse(self) -> None:
        """Say that this worker is alive."""
        sent = self._steady()
        words = ("EVALSHA", _sha[BEAT], 0, self.worker, self.people(), self.address)
        self._ask(partial(self._beaten, sent), *words)

    def _beaten(self, sent: Millis, told: Any) -> None:
        if isinstance(told, StoreError):
            return
        time, workers, claimed, people, outage, follows, hints = told
        got = self._steady()
        offset = time - (sent + got) // 2
        # The half of the way there and back is all that the offset can be wrong by.
        if abs(offset - self._offset) > (got - sent) // 2 + 1:
            self._offset = offset
        counts = {people[n].decode(): int(people[n + 1]) for n in range(0, len(people), 2)}
        others = sum(count for worker, count in counts.items() if worker != self.worker)
        gap = None if outage is None else Outage(*(Millis(int(each)) for each in outage.split()))
        self._listener.met(frozenset(worker.decode() for worker in workers), others, gap, follows)
        if self._hints.beat(int(hints)):
            self._check_rooms()
        if claimed:
            self._listener.claimed([RoomId(room.decode()) for room in claimed])
        if self._met and time - self._met >= LEASE:
            # We stood still, and the others have given us up.
            self._listener.back()
        self._met = Millis(time)

    def _check_rooms(self) -> None:
        """Ask whether any record of the rooms that are followed was missed."""
        self._wanted = self._checking
        if self._checking:
            return
        self._checking = True
        followed = self._listener.followed()
        for start in range(0, len(followed), CHUNK):
            some = followed[start : start + CHUNK]
            keys = (f"{PREFIX}journal:{room}" for room, _ in some)
            self._ask(self._missed, "XREAD", "STREAMS", *keys, *(f"{version}-0" for _, version in some))
        self._ask(self._ready, "PING")

    def _ready(self, told: Any) -> None:
        self._checking = False
        # What was missed in the meantime may have come too late for these answers.
        if self._wanted and not isinstance(told, StoreError):
            self._check_rooms()

    def _checked(self, told: Any) -> None:
        if told and not isinstance(told, StoreError):
            self._tables.learn(told[0][1], lambda _: None)

    def _missed(self, told: Any) -> None:
        if told and not isinstance(told, StoreError):
            for key, raw in told:
                room = RoomId(key.decode().partition("journal:")[2])
                self._listener.heard(room, read_entries(room, raw))


def _written(written: "asyncio.Future[None]", told: Any) -> None:
    if written.done():
        return
    if isinstance(told, StoreError):
        written.set_exception(told)
    elif told:
        written.set_exception(Conflict(RoomId(room.decode()) for room in told))
    else:
        written.set_result(None)


def _read(told: Any, read: Callable[[Any], Any]) -> Any:
    return told if isinstance(told, StoreError) else read(told)


def _ignored(_told: Any) -> None:
    """What was lost is found by the next check."""
