"""The bus between workers: commands and pub/sub over two Redis connections."""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from qipai.hall.cluster.bus_interface import BusListener, CatchUp, LeaseClaim, PublishedWorker
from qipai.hall.journal.store_interface import Conflict, Damaged, Entry, Now, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from . import lua_scripts as scripts
from . import script_replies as replies
from .gap_detection import GapDetector, MissedRecords
from .lua_scripts import PREFIX, script_hash
from .redis_connection import RedisConnection, call, connect, subscribe
from .shared_counters import COUNTER_SCRIPTS, RedisCounters
from .snapshot_feed import SnapshotFeed
from .worker_heartbeat import HEARTBEAT_SCRIPTS, HEARTBEAT_SECONDS, LEAVE, WorkerHeartbeat

ROOM_CHECK_HEARTBEATS: Final = 20
"""Heartbeats between two checks for missed records, besides those after a detected gap."""
RETRY_SECONDS: Final = (0.05, 1.0)
"""First and longest pause before a reconnect."""
LOCK_MILLIS: Final = 1_000
LOCK_TRIES: Final = 100
LOCK_PAUSE: Final = 0.02

_UNPUBLISHED: Final = PublishedWorker()
_hashes: Final = {script: script_hash(script) for script in scripts.BUS_SCRIPTS}


class RedisBus:
    """Reconnects by itself. `local_clock` is the clock of this machine, `now` that of Redis."""

    def __init__(self, url: str, worker: str, local_clock: Now) -> None:
        self.worker = worker
        self._published = _UNPUBLISHED
        self._url = url
        self._commands: RedisConnection | None = None
        self._subscription: RedisConnection | None = None
        self._heartbeats = 0
        self._heartbeat = WorkerHeartbeat(
            self._request,
            worker,
            local_clock,
            lambda: (self._published.persons(), self._published.address, self._published.secret()),
            self._on_heartbeat,
        )
        self._gaps = GapDetector()
        self._timer: asyncio.TimerHandle | None = None
        self._reconnecting: asyncio.Task[None] | None = None
        self._closed = False
        self._listener: BusListener
        self._snapshots: SnapshotFeed
        self._missed_records: MissedRecords
        self._tuned_at = Millis(0)
        self._locks: set[str] = set()
        self.counters = RedisCounters(self._request, worker)

    # Life cycle

    async def tune(self) -> None:
        """Set the clock to the time of Redis, or raise `StoreError`."""
        connection = await connect(self._url, lambda: None)
        try:
            seconds, micros = await call(connection, "TIME")
        finally:
            connection.close()
        self._tuned_at = Millis(int(seconds) * 1000 + int(micros) // 1000)
        self._heartbeat.set_time(self._tuned_at)

    async def start(self, listener: BusListener, published: PublishedWorker = _UNPUBLISHED) -> None:
        """Connect and send heartbeats, or raise `StoreError`."""
        self._listener = listener
        self._published = published
        self._snapshots = SnapshotFeed(self.load, listener, self._tuned_at)
        self._missed_records = MissedRecords(self._request, listener)
        await self._connect()
        self._on_timer()
        if self._commands is not None:
            # Replies keep their order: after this one the listener knows of the last outage.
            await call(self._commands, "PING")

    async def close(self) -> None:
        """Leave the cluster and disconnect."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        if self._commands is not None and self._commands.open:
            # On an error the other workers clean up.
            with suppress(StoreError):
                await call(self._commands, "EVALSHA", script_hash(LEAVE), 0, self.worker)
        for connection in (self._commands, self._subscription):
            if connection is not None:
                connection.close()

    @property
    def open(self) -> bool:
        """Tell whether Redis is connected."""
        return self._commands is not None and self._commands.open

    def now(self) -> Millis:
        """Return the time of Redis; it never goes back."""
        return self._heartbeat.now()

    async def _connect(self) -> None:
        commands = await connect(self._url, self._on_disconnect)
        try:
            for script in (*scripts.BUS_SCRIPTS, *HEARTBEAT_SCRIPTS, *COUNTER_SCRIPTS):
                await call(commands, "SCRIPT", "LOAD", script)
            channels = tuple(f"{PREFIX}{name}" for name in (f"worker:{self.worker}", "snapshots", "all"))
            # `COMMIT` removes a subscriber that does not receive its messages, so this comes first.
            subscription = await subscribe(self._url, self._on_disconnect, self._on_push, channels)
        except StoreError:
            commands.close()
            raise
        if not (commands.open and subscription.open):
            commands.close()
            subscription.close()
            raise StoreError("Redis: the connection was lost")
        self._commands, self._subscription = commands, subscription

    def _on_disconnect(self) -> None:
        connections = (self._commands, self._subscription)
        self._commands = self._subscription = None
        if connections == (None, None):
            return
        for connection in connections:
            if connection is not None:
                connection.close()
        if not self._closed:
            self._listener.store_lost()
            self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect())

    async def _reconnect(self) -> None:
        pause = RETRY_SECONDS[0]
        while True:
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads the workers
            pause = min(2 * pause, RETRY_SECONDS[1])
            try:
                await self._connect()
            except StoreError:
                continue
            self._heartbeat.reconnected()
            # Redis lists members only of workers that are alive.
            self._heartbeat.send()
            self._listener.store_regained()
            return

    # Requests

    def _request(self, on_reply: Callable[[Any], None], *words: Any) -> None:
        if self._commands is None:
            asyncio.get_running_loop().call_soon(on_reply, StoreError("Redis is not connected"))
        else:
            self._commands.request(words, on_reply)

    def _run(self, on_reply: Callable[[Any], None], script: str, *arguments: Any) -> None:
        self._request(on_reply, "EVALSHA", _hashes[script], 0, *arguments)

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> "asyncio.Future[None]":
        """Write a batch as `Store.append` does."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        arguments = replies.commit_arguments(self.worker, entries, snapshots)
        self._run(partial(_on_written, written), scripts.COMMIT, *arguments)
        return written

    def load(self, room: RoomId, done: Callable[[Saved | StoreError | None], None]) -> None:
        """Read a room as last written."""
        self._run(_parsed(done, partial(replies.read_saved, room)), scripts.LOAD, room)

    def find(self, code: str, done: Callable[[RoomId | StoreError | None], None]) -> None:
        """Find the room of a code."""
        self._request(_parsed(done, replies.read_room), "HGET", f"{PREFIX}codes", code)

    def open_rooms(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read the rooms that are not closed."""
        self._request(_parsed(done, replies.read_rooms), "SMEMBERS", f"{PREFIX}open_rooms")

    def subscribe(self, room: RoomId, version: int, done: Callable[[CatchUp | StoreError], None]) -> None:
        """Receive every record of a room from now on, and read the records after a version."""
        parse = partial(replies.read_catch_up, room, version)
        self._run(_parsed(done, parse), scripts.SUBSCRIBE, self.worker, room, version)

    def unsubscribe(self, room: RoomId) -> None:
        """Receive no more records of a room."""
        self._run(_ignore, scripts.UNSUBSCRIBE, self.worker, room)

    def subscriptions(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read the rooms that this worker is subscribed to."""
        key = f"{PREFIX}subscriptions:{self.worker}"
        self._request(_parsed(done, replies.read_rooms), "SMEMBERS", key)

    def announce_member(self, room: RoomId, number: int, place: bytes) -> None:
        """Announce a connection in a room; an empty `place` announces that it left."""
        self._run(_ignore, scripts.ANNOUNCE_MEMBER, self.worker, room, number, place)

    def send_room_message(self, room: RoomId, note: bytes) -> None:
        """Send a message to all other subscribers of a room."""
        self._run(_ignore, scripts.SEND_ROOM_MESSAGE, self.worker, room, note)

    def broadcast(self, note: bytes) -> None:
        """Send a message to all other workers."""
        self._request(_ignore, "PUBLISH", f"{PREFIX}all", self.worker.encode() + b"\n" + note)

    def lock(self, name: str, then: Callable[[bool], None], tries: int = LOCK_TRIES) -> None:
        """Acquire a lock and read every snapshot written before; after the last try go on without the lock.

        A commit without the lock is a conflict at worst.
        """
        if name in self._locks:
            self._on_lock(name, then, tries, None)
            return
        arguments = (self.worker, name, LOCK_MILLIS, self._snapshots.position)
        self._run(partial(self._on_lock, name, then, tries), scripts.LOCK, *arguments)

    def _on_lock(self, name: str, then: Callable[[bool], None], tries: int, reply: Any) -> None:
        if isinstance(reply, StoreError):
            then(False)
        elif reply is None and tries:
            retry = partial(self.lock, name, then, tries - 1)
            pause = LOCK_PAUSE * random.uniform(0.5, 1.0)  # noqa: S311 - spreads the workers
            asyncio.get_running_loop().call_later(pause, retry)
        else:
            self._locks.add(name)
            self._snapshots.read(reply or [], then)

    def unlock(self, name: str) -> None:
        """Release a lock."""
        self._locks.discard(name)
        self._run(_ignore, scripts.UNLOCK, self.worker, name)

    def store_lease(self, key: str, body: bytes, seconds: int) -> None:
        """Store a lease that another worker may claim; an empty body deletes it."""
        self._run(_ignore, scripts.STORE_LEASE, self.worker, key, body, seconds)

    def extend_lease(self, key: str, seconds: int) -> None:
        """Let a lease end so many seconds from now."""
        self._request(_ignore, "EXPIRE", f"{PREFIX}lease:{key}", seconds)

    def claim_lease(
        self, key: str, body: bytes, done: Callable[[LeaseClaim | StoreError | None], None]
    ) -> None:
        """Claim a lease; its holder gets `body` by mail if it is alive."""
        self._run(_parsed(done, replies.read_lease_claim), scripts.CLAIM_LEASE, self.worker, key, body)

    def send_to_worker(self, worker: str, key: str, body: bytes) -> None:
        """Send a message to one worker."""
        message = f"m {self.worker} {key}\n".encode() + body
        self._request(_ignore, "PUBLISH", f"{PREFIX}worker:{worker}", message)

    async def where(self, worker: str) -> str:
        """Return the address of a worker; empty if the worker is not alive or Redis does not reply."""
        if self._commands is None:
            return ""
        try:
            reply = await call(self._commands, "HGET", f"{PREFIX}addresses", worker)
        except StoreError:
            return ""
        return "" if reply is None else str(reply.decode())

    # Messages from other workers

    def _on_push(self, push: Any) -> None:
        if not isinstance(push, list) or push[0] != b"message":
            return
        channel, message = push[1], push[2]
        head, _, body = message.partition(b"\n")
        words = head.decode().split(" ")
        if channel.endswith(b":snapshots"):
            worker, _, room, version, live = words
            if worker != self.worker:
                self._listener.snapshot_written(Snapshot(RoomId(room), int(version), live == "1", body))
        elif channel.endswith(b":all"):
            if words[0] != self.worker:
                self._listener.broadcast_received(body)
        elif words[0] == "r":
            room = RoomId(words[2])
            self._listener.records_written(room, replies.read_record_message(room, words[3:], body))
            if self._gaps.receive(int(words[1])):
                self._missed_records.check()
        elif words[0] == "p":
            self._listener.member_announced(RoomId(words[1]), words[2], body)
        elif words[0] == "m":
            self._published.receive(words[1], words[2], body)
        else:
            self._listener.room_message(RoomId(words[1]), body)

    # Periodic work

    def _on_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, self._on_timer)
        self._heartbeat.send()
        self._heartbeats += 1
        stream = f"{PREFIX}snapshots"
        self._request(self._on_snapshots, "XREAD", "STREAMS", stream, self._snapshots.position)
        if self._heartbeats % ROOM_CHECK_HEARTBEATS == 0:
            self._missed_records.check()

    def _on_heartbeat(self, reply: replies.HeartbeatReply, stalled: bool) -> None:
        self._listener.heartbeat_answered(
            reply.workers, reply.persons_elsewhere, reply.outage, reply.subscriptions
        )
        if self._gaps.heartbeat(reply.records_sent):
            self._missed_records.check()
        if reply.claimed:
            self._listener.rooms_claimed(reply.claimed)
        if stalled:
            self._listener.store_regained()
        if not reply.same_secret:
            self._published.other_secret()

    def _on_snapshots(self, reply: Any) -> None:
        if reply and not isinstance(reply, StoreError):
            self._snapshots.read(reply[0][1], lambda _: None)


def _on_written(written: "asyncio.Future[None]", reply: Any) -> None:
    if written.done():
        return
    if isinstance(reply, StoreError):
        written.set_exception(reply)
    elif reply:
        written.set_exception(Conflict(RoomId(room.decode()) for room in reply))
    else:
        written.set_result(None)


def _parsed(done: Callable[[Any], None], parse: Callable[[Any], Any]) -> Callable[[Any], None]:
    """Return a callback that passes the parsed reply, or the error, to `done`."""

    def on_reply(reply: Any) -> None:
        try:
            result = reply if isinstance(reply, StoreError) else parse(reply)
        except Damaged as error:
            result = error
        done(result)

    return on_reply


def _ignore(_reply: Any) -> None:
    """Ignore a reply: the next check repairs what was lost."""
