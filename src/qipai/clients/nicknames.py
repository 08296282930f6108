"""Who has which nickname: no two have the same one at the same game, at whichever workers they are."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final, NamedTuple

from qipai.hall.cluster.bus_interface import Nickname, SharedCounters
from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.inbox import Inbox
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Person

from .legacy_worker_messages import LegacyBroadcasts

SOME: Final = 200
"""How many names are asked for again at once, every `PAUSE` seconds, after the ledger was out of reach."""
PAUSE: Final = 0.05


class Claim(NamedTuple):
    """The name somebody has, for which game, and the one he asked for."""

    game: str
    wanted: str
    name: str


class Nicknames:
    """Gives names out here, or where there are other workers out of a ledger that all of them share.

    While that cannot be reached, names are given that nobody is known to have, and asked for when it is back.
    `stir` is called with a game whose names have changed, `renamed` with a peer that had to get another name.
    """

    def __init__(
        self,
        inbox: Inbox,
        ledger: SharedCounters | None,
        stir: Callable[[str], None],
        renamed: Callable[[Connection], None],
        broadcasts: LegacyBroadcasts,
    ) -> None:
        self._inbox = inbox
        self._ledger = ledger
        self._stir = stir
        self._renamed = renamed
        self.claims: dict[Connection, Claim] = {}
        self.people: dict[str, dict[str, Connection]] = {}
        self._abroad: dict[str, dict[str, set[str]]] = {}
        """The names that people have at other workers, by worker and game."""
        self._alike: dict[tuple[str, str], list[int]] = {}
        """How many want a name, and the last number that was given to one of them."""
        self._asking: set[Connection] = set()
        self._broadcasts = broadcasts

    def claim(self, connection: Connection, game: str, wanted: str, then: Retry) -> None:
        """Give somebody the name he wants, and go on; a taken one gets a number, and none is tried twice."""
        claim = self.claims.get(connection)
        if claim is not None and (claim.game, claim.wanted) == (game, wanted):
            then()
            return
        self.release(connection)
        self._alike.setdefault((game, wanted), [0, 1])[0] += 1
        if self._ledger is None:
            self._take(connection, Claim(game, wanted, self._free(game, wanted)))
            then()
        else:
            self._asking.add(connection)
            self._inbox.wait(connection, partial(self._ask, connection, game, wanted, then))

    def again(self, connection: Connection, game: str, wanted: str, name: str) -> None:
        """Give somebody the name back that he had at another worker, if nobody has it."""
        self._alike.setdefault((game, wanted), [0, 1])[0] += 1
        if name in self.people.get(game, ()):
            name = self._free(game, wanted)
        self._take(connection, Claim(game, wanted, name))
        self._confirm(connection)

    def release(self, connection: Connection) -> None:
        """Give a name back, if somebody has one."""
        self._asking.discard(connection)
        claim = self.claims.pop(connection, None)
        if claim is not None:
            del self.people[claim.game][claim.name]
            self._broadcasts.nickname_changed(claim.game, claim.name, taken=False)
            self._return(connection.person, claim.game, claim.name)
            self._unlike(claim.game, claim.wanted)
            self._stir(claim.game)

    def count(self, game: str) -> int:
        """Return how many people have a name, at all workers."""
        return len(self.people.get(game, ())) + sum(
            len(games.get(game, ())) for games in self._abroad.values()
        )

    def _take(self, connection: Connection, claim: Claim) -> None:
        self.claims[connection] = claim
        self.people.setdefault(claim.game, {})[claim.name] = connection
        self._broadcasts.nickname_changed(claim.game, claim.name, taken=True)
        self._stir(claim.game)

    def _free(self, game: str, wanted: str) -> str:
        """Return a name that nobody is known to have."""
        name, people, alike = wanted, self.people.get(game, {}), self._alike[game, wanted]
        while name in people or any(name in games.get(game, ()) for games in self._abroad.values()):
            alike[1] += 1
            name = f"{wanted}#{alike[1]}"
        return name

    def _unlike(self, game: str, wanted: str) -> None:
        alike = self._alike[game, wanted]
        alike[0] -= 1
        if not alike[0]:
            del self._alike[game, wanted]

    # The ledger

    def _ask(self, connection: Connection, game: str, wanted: str, then: Retry, done: Retry) -> None:
        assert self._ledger is not None
        first, alike, person = self._free(game, wanted), self._alike[game, wanted], connection.person

        def told(answer: Nickname | StoreError) -> None:
            if isinstance(answer, Nickname):
                name, alike[1] = answer.name, max(alike[1], answer.number)
            else:
                name = first
            if connection not in self._asking:
                # He has gone meanwhile.
                self._return(person, game, name)
                self._unlike(game, wanted)
                done()
            elif name in self.people.get(game, ()):
                # Somebody got it while the ledger was out of reach, and has not been told otherwise.
                self._return(person, game, name)
                self._ask(connection, game, wanted, then, done)
            else:
                self._asking.discard(connection)
                self._take(connection, Claim(game, wanted, name))
                try:
                    then()
                finally:
                    done()

        self._ledger.name(game, str(person), first, wanted, alike[1], told)

    def _confirm(self, connection: Connection) -> None:
        """Ask for a name that somebody has already; he gets another one if somebody else has it, too."""
        claim, person = self.claims.get(connection), connection.person
        if self._ledger is None or claim is None:
            return
        game, wanted, had = claim

        def told(answer: Nickname | StoreError) -> None:
            if isinstance(answer, StoreError) or answer.name == had:
                return
            if self.claims.get(connection) is not claim:
                self._return(person, game, answer.name)
                return
            alike = self._alike[game, wanted]
            alike[1] = max(alike[1], answer.number)
            if answer.name in self.people[game]:
                self._return(person, game, answer.name)
                self._confirm(connection)
            else:
                alike[0] += 1
                self.release(connection)
                self._take(connection, claim._replace(name=answer.name))
                self._renamed(connection)

        self._ledger.name(game, str(person), had, wanted, self._alike[game, wanted][1], told)

    def _return(self, person: Person | None, game: str, name: str) -> None:
        if self._ledger is not None:
            self._ledger.unname(game, str(person), name)

    def confirm(self) -> None:
        """Ask for all names again: the ledger may have given them to others."""
        self._confirm_some(list(self.claims))

    def _confirm_some(self, connections: list[Connection]) -> None:
        for connection in connections[:SOME]:
            self._confirm(connection)
        if rest := connections[SOME:]:
            asyncio.get_running_loop().call_later(PAUSE, self._confirm_some, rest)

    # Other workers

    def here(self) -> dict[str, list[str]]:
        """Return all names that people have here, by game."""
        return {game: [*people] for game, people in self.people.items() if people}

    def meet(self, worker: str, names: Mapping[str, Iterable[str]]) -> None:
        """Know all names at another worker."""
        before, known = self._abroad.get(worker, {}), {game: set(some) for game, some in names.items()}
        self._abroad[worker] = known
        for game in before.keys() | known.keys():
            self._stir(game)

    def note(self, worker: str, game: str, name: str, *, taken: bool) -> None:
        """Know that a name was taken or given back at another worker."""
        names = self._abroad.setdefault(worker, {}).setdefault(game, set())
        (names.add if taken else names.discard)(name)
        self._stir(game)

    def outlive(self, crew: frozenset[str]) -> None:
        """Forget the names at all workers but these."""
        for worker in self._abroad.keys() - crew:
            for game in self._abroad.pop(worker):
                self._stir(game)
