"""The Bus interface: what a worker asks of and hears from other workers."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from qipai.hall.journal.store_interface import Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId


class CatchUp(NamedTuple):
    """What a worker needs to follow a room: its length, the missing records, the members on all workers.

    `at` is the stored time of the version that the worker has: another time means another history.
    """

    length: int
    tail: Sequence[Entry]
    members: dict[str, bytes]
    at: int


class BusListener(Protocol):
    """What a worker hears from the others. Messages may be lost, repeated or late; answers may not."""

    def records_written(self, room: RoomId, entries: Sequence[Entry]) -> None:
        """Another worker wrote these records of a subscribed room."""

    def snapshot_written(self, snapshot: Snapshot) -> None:
        """Another worker wrote this snapshot."""

    def is_newer(self, room: RoomId, version: int) -> bool:
        """Tell whether a snapshot of this version is news."""

    def member_announced(self, room: RoomId, key: str, member: bytes) -> None:
        """A member of another worker came, changed or (if empty) left."""

    def room_message(self, room: RoomId, message: bytes) -> None:
        """Another worker sent a message about a subscribed room."""

    def broadcast_received(self, message: bytes) -> None:
        """Another worker sent a message to all."""

    def heartbeat_answered(
        self, workers: frozenset[str], persons: int, outage: "Outage | None", subscriptions: int
    ) -> None:
        """The live workers, the persons on the others, the last outage, our subscriptions in the store."""

    def rooms_claimed(self, rooms: Sequence[RoomId]) -> None:
        """These rooms had no subscriber; now this worker is one."""

    def subscriptions(self) -> Sequence[tuple[RoomId, int]]:
        """Return the subscribed rooms and the version of each."""

    def store_lost(self) -> None:
        """Nothing can be written or heard for now."""

    def store_regained(self) -> None:
        """The store is reachable again; anything may have happened."""


class Outage(NamedTuple):
    """When the last worker stopped, and when the next one started."""

    down: Millis
    up: Millis


class LeaseClaim(NamedTuple):
    """What another worker stored; `told`: that worker is alive and was told of the claim."""

    body: bytes
    holder_notified: bool


WorkerMessageHandler = Callable[[str, str, bytes], None]
"""Called with a message of another worker to this one: its name, the key, the body."""


class Nickname(NamedTuple):
    """A nickname that was granted, and the last number that was tried."""

    name: str
    number: int


class SharedCounters(Protocol):
    """Quotas and nicknames that hold on all workers."""

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        """Count one, unless `most` were counted in the last `window` milliseconds."""

    def name(
        self,
        game: str,
        whose: str,
        name: str,
        wanted: str,
        number: int,
        done: Callable[[Nickname | StoreError], None],
    ) -> None:
        """Grant a nickname; one that is taken on a live worker gets the next free number."""

    def unname(self, game: str, whose: str, name: str) -> None:
        """Release a nickname of this worker."""


class Bus(Protocol):
    """The other workers on the same store. Nothing here waits; answers come by callbacks.

    A callback gets a `StoreError` if there is no answer.
    """

    @property
    def worker(self) -> str:
        """Return the name of this worker; no other worker ever has the same."""

    @property
    def open(self) -> bool:
        """Tell whether the store is reachable."""

    @property
    def counters(self) -> SharedCounters:
        """Return the counters of all workers."""

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> "asyncio.Future[None]":
        """Write a batch as `Store.append` does."""

    def load(self, room: RoomId, done: Callable[[Saved | StoreError | None], None]) -> None:
        """Read a room."""

    def find(self, code: str, done: Callable[[RoomId | StoreError | None], None]) -> None:
        """Find the room of a short code."""

    def open_rooms(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read which rooms are open."""

    def subscribe(self, room: RoomId, version: int, done: Callable[[CatchUp | StoreError], None]) -> None:
        """Receive every record of a room from now on, and read those after a version."""

    def unsubscribe(self, room: RoomId) -> None:
        """Cancel the subscription of a room."""

    def subscriptions(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        """Read the subscriptions of this worker."""

    def announce_member(self, room: RoomId, number: int, place: bytes) -> None:
        """Announce a member of this worker; an empty value withdraws it."""

    def send_room_message(self, room: RoomId, note: bytes) -> None:
        """Send a message to all subscribers of a room."""

    def broadcast(self, note: bytes) -> None:
        """Send a message to all workers."""

    def lock(self, name: str, then: Callable[[bool], None]) -> None:
        """Hold a lock, and know every room that was opened before; False if the store is unreachable."""

    def unlock(self, name: str) -> None:
        """Release a lock."""

    def store_lease(self, key: str, body: bytes, seconds: int) -> None:
        """Store a lease that another worker can claim; an empty body removes it."""

    def extend_lease(self, key: str, seconds: int) -> None:
        """Let a lease expire so many seconds from now."""

    def claim_lease(
        self, key: str, body: bytes, done: Callable[[LeaseClaim | StoreError | None], None]
    ) -> None:
        """Claim a lease; if its worker is alive, it is sent `body`."""

    def send_to_worker(self, worker: str, key: str, body: bytes) -> None:
        """Send a message to one worker."""


class PublishedWorker(NamedTuple):
    """What other workers learn of this one and send to it.

    `persons` returns how many persons are connected to it; `address` is a host and a port, separated by a
    space; `receive` takes messages sent with `Bus.send_to_worker`. `secret` returns the keys that sign
    tokens, as they are stored; `other_secret` is called while the store has others.
    """

    persons: Callable[[], int] = lambda: 0
    address: str = ""
    receive: WorkerMessageHandler = lambda _worker, _key, _body: None
    secret: Callable[[], bytes] = bytes
    other_secret: Callable[[], None] = lambda: None


class ClusterBus(Bus, Protocol):
    """A bus as the composition root sees it."""

    async def where(self, worker: str) -> str:
        """Return the address of a worker; empty if it is unknown."""

    def now(self) -> Millis:
        """Return the time of the store."""

    async def tune(self) -> None:
        """Set the clock to the time of the store before it is used, or raise `StoreError`."""

    async def start(self, listener: BusListener, published: PublishedWorker) -> None:
        """Connect and send heartbeats, or raise `StoreError`."""

    async def close(self) -> None:
        """Cancel all subscriptions and disconnect."""
