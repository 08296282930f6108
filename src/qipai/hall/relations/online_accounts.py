"""Which accounts are online on all workers, and at which public tables they are.

Workers tell each other at most once a second which accounts came, left, or watch other rooms. Nothing of it
is stored. A worker that starts, or was cut off, asks, and all others send everything again.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import MsgspecError, Struct

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.ids import SPECTATOR, Person, RoomId
from qipai.kernel.room import Phase
from qipai.kernel.seats import seat_of

from .relation_directory import RelationDirectory

INTERVAL: Final = 1.0
"""Seconds in which all changes of a worker become one message."""
MOST_IN_MESSAGE: Final = 500
Watched = tuple[RoomId, ...]


class OnlineAccountsRequest(Struct, frozen=True, tag="accounts?", array_like=True):
    """Asks every worker which accounts are connected to it."""


class OnlineAccountsMessage(Struct, frozen=True, tag="accounts", array_like=True):
    """The rooms that accounts watch which are connected to a worker; None for one that is not any more."""

    worker: str
    accounts: dict[Person, Watched | None]


_encode: Final = msgspec.json.Encoder().encode
_decoder: Final = msgspec.json.Decoder(OnlineAccountsRequest | OnlineAccountsMessage)


class OnlineTable(NamedTuple):
    """A public table where somebody is, as the room list shows it."""

    room: RoomId
    game: str
    does: Literal["plays", "waits", "watches"]


class OnlineStatus(NamedTuple):
    """Somebody is online; `table`: where, None if it is at no public table."""

    table: OnlineTable | None


class OnlineAccounts:
    """Connections of accounts on this worker, and what other workers tell. Guests are not in it."""

    def __init__(
        self,
        executor: CommandExecutor,
        is_listed: Callable[[RoomId], bool],
        relations: RelationDirectory,
        worker: str,
        broadcast: Callable[[bytes], None],
    ) -> None:
        self._executor = executor
        self._is_listed = is_listed
        self._relations = relations
        self._worker = worker
        self._broadcast = broadcast
        self._here: dict[Person, dict[Connection, None]] = {}
        self._remote: dict[Person, dict[str, Watched]] = {}
        self._workers: frozenset[str] = frozenset()
        self._changed: set[Person] = set()
        self._sent: dict[Person, Watched] = {}
        listeners = executor.replication.listeners
        listeners.broadcasts.append(self._receive)
        listeners.workers.append(self._workers_changed)
        listeners.own_members.append(self._moved)

    def connected(self, connection: Connection) -> None:
        """Count a connection that came with the session of an account."""
        if connection.session_key and connection.person is not None:
            self._here.setdefault(connection.person, {})[connection] = None
            self._tell_later(connection.person)

    def disconnected(self, connection: Connection) -> None:
        """Count a connection no longer that is closed."""
        person = connection.person
        if person is not None and (connections := self._here.get(person)) is not None:
            connections.pop(connection, None)
            if not connections:
                del self._here[person]
            self._tell_later(person)

    def connections(self, person: Person) -> Sequence[Connection]:
        """Return the connections of an account on this worker."""
        return tuple(self._here.get(person, ()))

    def all_connections(self) -> Iterator[Connection]:
        """Yield the connections of all accounts on this worker."""
        for connections in tuple(self._here.values()):
            yield from tuple(connections)

    def status(self, person: Person) -> OnlineStatus | None:
        """Return where an account is, as all others may know it; None if it is offline or invisible."""
        if person not in self._here and person not in self._remote:
            return None
        return None if self._relations.privacy(person).invisible else OnlineStatus(self._table(person))

    def _table(self, person: Person) -> OnlineTable | None:
        """Return the public table where a person plays, waits or watches."""
        seats = []
        for room in self._executor.seat_index.get(person, ()):
            live = self._executor.live_rooms.get(room)
            if live is not None and self._is_listed(room) and seat_of(live.listed.seats, person) is not None:
                seats.append(live.listed)
        if seats:
            shown = max(seats, key=lambda room: (room.phase is Phase.PLAYING, room.at))
            return OnlineTable(shown.id, shown.game, "plays" if shown.phase is Phase.PLAYING else "waits")
        remote = self._remote.get(person, {}).values()
        for room in (*self._watched(person), *chain.from_iterable(remote)):
            if self._is_listed(room):
                return OnlineTable(room, self._executor.live_rooms[room].latest.game, "watches")
        return None

    def _watched(self, person: Person) -> Watched:
        """Return the rooms that an account watches on this worker."""
        return tuple(
            room
            for connection in self._here.get(person, ())
            for room, viewer in connection.rooms.items()
            if viewer == SPECTATOR
        )

    # Other workers

    def _moved(self, connection: Connection) -> None:
        """A connection entered or left a room."""
        if connection.person in self._here:
            self._tell_later(connection.person)

    def _tell_later(self, person: Person) -> None:
        if self._worker:
            if not self._changed:
                asyncio.get_running_loop().call_later(INTERVAL, self._tell)
            self._changed.add(person)

    def _tell(self) -> None:
        changed, self._changed = self._changed, set()
        now = {person: self._watched(person) if person in self._here else None for person in changed}
        self._send({person: rooms for person, rooms in now.items() if rooms != self._sent.get(person)})
        for person, rooms in now.items():
            if rooms is None:
                self._sent.pop(person, None)
            else:
                self._sent[person] = rooms

    def _send(self, accounts: dict[Person, Watched | None]) -> None:
        rows = tuple(accounts.items())
        for start in range(0, len(rows), MOST_IN_MESSAGE):
            part = dict(rows[start : start + MOST_IN_MESSAGE])
            self._broadcast(_encode(OnlineAccountsMessage(self._worker, part)))

    def _receive(self, body: bytes) -> None:
        try:
            message = _decoder.decode(body)
        except MsgspecError:
            return  # Another part of the hall knows it.
        match message:
            case OnlineAccountsRequest():
                self._send(dict(self._sent))
            case OnlineAccountsMessage():
                for person, rooms in message.accounts.items():
                    self._set_remote(person, message.worker, rooms)

    def _set_remote(self, person: Person, worker: str, rooms: Watched | None) -> None:
        workers = self._remote.setdefault(person, {})
        if rooms is None:
            workers.pop(worker, None)
        else:
            workers[worker] = rooms
        if not workers:
            del self._remote[person]

    def _workers_changed(self, workers: frozenset[str]) -> None:
        """Forget the accounts of workers that are gone; ask new ones for theirs."""
        if workers == self._workers:
            return
        new, gone, self._workers = workers - self._workers, self._workers - workers, workers
        if gone:
            for person in tuple(self._remote):
                self._forget(person, gone)
        if new - {self._worker}:
            self._broadcast(_encode(OnlineAccountsRequest()))

    def _forget(self, person: Person, workers: Iterable[str]) -> None:
        for worker in workers:
            if person in self._remote:
                self._set_remote(person, worker, None)
