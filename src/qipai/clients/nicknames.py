"""Unique nicknames per game, across all workers."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from qipai.hall.background_tasks import BackgroundTasks, answer
from qipai.hall.cluster.bus_interface import Nickname, SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Person

from .legacy_worker_messages import LegacyBroadcasts

CONFIRM_BATCH: Final = 200
"""Nicknames confirmed per `CONFIRM_INTERVAL` after the shared counters were unreachable."""
CONFIRM_INTERVAL: Final = 0.05
NEUTRAL_NAME: Final = "玩家"
"""Assigned instead of a reserved nickname, which would speak for the server also with a number."""


class Claim(NamedTuple):
    """The nickname of a connection, its game, and the one that was asked for."""

    game: str
    wanted: str
    name: str


class Nicknames:
    """Assigns nicknames from the counters that all workers share.

    While those are unreachable, names are assigned that no worker is known to use, and confirmed afterwards.
    `changed` is called with a game whose names changed, `renamed` with a connection that got another name.
    """

    def __init__(
        self,
        tasks: BackgroundTasks,
        counters: SharedCounters,
        changed: Callable[[str], None],
        renamed: Callable[[Connection], None],
        broadcasts: LegacyBroadcasts,
        is_reserved: Callable[[str], bool],
    ) -> None:
        self._tasks = tasks
        self._counters = counters
        self._changed = changed
        self._renamed = renamed
        self.claims: dict[Connection, Claim] = {}
        self.by_name: dict[str, dict[str, Connection]] = {}
        self._absent: set[Connection] = set()
        """Connections with a nickname that are not there, and are not counted."""
        self._remote: dict[str, dict[str, set[str]]] = {}
        """The nicknames of other workers, by worker and game."""
        self._numbers: dict[tuple[str, str], list[int]] = {}
        """How many asked for a name, and the last number that was appended to it."""
        self._asking: set[Connection] = set()
        self._broadcasts = broadcasts
        self._is_reserved = is_reserved

    async def claim(self, connection: Connection, game: str, wanted: str) -> bool:
        """Assign the requested name; one in use gets a number not used before. False if it was released.

        A reserved name is not refused either: it counts as a request for `NEUTRAL_NAME`.
        """
        if self._is_reserved(wanted):
            wanted = NEUTRAL_NAME
        claim = self.claims.get(connection)
        if claim is not None and (claim.game, claim.wanted) == (game, wanted):
            return True
        self.release(connection)
        numbers, person = self._numbers.setdefault((game, wanted), [0, 1]), connection.person
        numbers[0] += 1
        self._asking.add(connection)
        while True:
            name = self._free_name(game, wanted)
            with suppress(StoreError):
                name = await self._ask(person, game, name, wanted)
            if connection not in self._asking:
                # The connection is closed.
                self._give_back(person, game, name)
                self._release_number(game, wanted)
                return False
            if name not in self.by_name.get(game, ()):
                self._asking.discard(connection)
                self._take(connection, Claim(game, wanted, name))
                return True
            # Assigned here while the counters were unreachable, and not confirmed yet.
            self._give_back(person, game, name)

    def restore(self, connection: Connection, game: str, wanted: str, name: str) -> None:
        """Assign the name that the connection had on another worker, if it is free here."""
        if self._is_reserved(name):
            # From an earlier release, which knew fewer reserved names.
            wanted = name = NEUTRAL_NAME
        self._numbers.setdefault((game, wanted), [0, 1])[0] += 1
        if name in self.by_name.get(game, ()):
            name = self._free_name(game, wanted)
        self._take(connection, Claim(game, wanted, name))
        self._tasks.run(self._confirm(connection))

    def release(self, connection: Connection) -> None:
        """Release the nickname of the connection, if it has one."""
        self._asking.discard(connection)
        claim = self.claims.pop(connection, None)
        if claim is not None:
            del self.by_name[claim.game][claim.name]
            self._absent.discard(connection)
            self._broadcasts.nickname_changed(claim.game, claim.name, taken=False)
            self._give_back(connection.person, claim.game, claim.name)
            self._release_number(claim.game, claim.wanted)
            self._changed(claim.game)

    def count(self, game: str) -> int:
        """Return the number of nicknames on all workers whose connections are there."""
        absent = sum(self.claims[connection].game == game for connection in self._absent)
        return (
            len(self.by_name.get(game, ()))
            - absent
            + sum(len(games.get(game, ())) for games in self._remote.values())
        )

    def set_present(self, connection: Connection, *, present: bool) -> None:
        """Count the connection or not; its nickname stays taken."""
        claim = self.claims[connection]
        (self._absent.discard if present else self._absent.add)(connection)
        # The shared counters know that the name is taken; the other workers only count.
        self._broadcasts.nickname_changed(claim.game, claim.name, taken=present)
        self._changed(claim.game)

    def _take(self, connection: Connection, claim: Claim) -> None:
        self.claims[connection] = claim
        self.by_name.setdefault(claim.game, {})[claim.name] = connection
        self._broadcasts.nickname_changed(claim.game, claim.name, taken=True)
        self._changed(claim.game)

    def _free_name(self, game: str, wanted: str) -> str:
        """Return a name that no worker is known to use."""
        name, taken, numbers = wanted, self.by_name.get(game, {}), self._numbers[game, wanted]
        while name in taken or any(name in games.get(game, ()) for games in self._remote.values()):
            numbers[1] += 1
            name = f"{wanted}#{numbers[1]}"
        return name

    def _release_number(self, game: str, wanted: str) -> None:
        numbers = self._numbers[game, wanted]
        numbers[0] -= 1
        if not numbers[0]:
            del self._numbers[game, wanted]

    # Shared counters

    async def _ask(self, person: Person | None, game: str, first: str, wanted: str) -> str:
        """Return the name that the counters grant: this one, or the wanted one with a number."""
        numbers = self._numbers[game, wanted]
        ask = partial(self._counters.name, game, str(person), first, wanted, numbers[1])
        granted: Nickname = await answer(ask)
        numbers[1] = max(numbers[1], granted.number)
        return granted.name

    def _give_back(self, person: Person | None, game: str, name: str) -> None:
        self._counters.unname(game, str(person), name)

    async def _confirm(self, connection: Connection) -> None:
        """Ask for the name of a connection; it gets another one if another worker has assigned the same."""
        claim, person = self.claims.get(connection), connection.person
        if claim is None:
            return
        game, wanted, current = claim
        with suppress(StoreError):
            while (name := await self._ask(person, game, current, wanted)) != current:
                if self.claims.get(connection) is not claim:
                    self._give_back(person, game, name)
                    return
                if name not in self.by_name[game]:
                    self._numbers[game, wanted][0] += 1
                    self.release(connection)
                    self._take(connection, claim._replace(name=name))
                    self._renamed(connection)
                    return
                self._give_back(person, game, name)

    def confirm_all(self) -> None:
        """Ask for all nicknames again: other workers may have been given the same."""
        self._confirm_some(list(self.claims))

    def _confirm_some(self, connections: list[Connection]) -> None:
        for connection in connections[:CONFIRM_BATCH]:
            self._tasks.run(self._confirm(connection))
        if rest := connections[CONFIRM_BATCH:]:
            asyncio.get_running_loop().call_later(CONFIRM_INTERVAL, self._confirm_some, rest)

    # Other workers

    def local_names(self) -> dict[str, list[str]]:
        """Return all nicknames of this worker, by game."""
        there = {
            game: [name for name, connection in names.items() if connection not in self._absent]
            for game, names in self.by_name.items()
        }
        return {game: names for game, names in there.items() if names}

    def set_remote(self, worker: str, names: Mapping[str, Iterable[str]]) -> None:
        """Replace the nicknames of another worker."""
        before, after = self._remote.get(worker, {}), {game: set(each) for game, each in names.items()}
        self._remote[worker] = after
        for game in before.keys() | after.keys():
            self._changed(game)

    def set_remote_name(self, worker: str, game: str, name: str, *, taken: bool) -> None:
        """Add or remove a nickname of another worker."""
        names = self._remote.setdefault(worker, {}).setdefault(game, set())
        (names.add if taken else names.discard)(name)
        self._changed(game)

    def keep_workers(self, workers: frozenset[str]) -> None:
        """Forget the nicknames of all workers but these."""
        for worker in self._remote.keys() - workers:
            for game in self._remote.pop(worker):
                self._changed(game)
