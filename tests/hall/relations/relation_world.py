"""A hall in virtual time with real accounts in memory, whose devices are signed in."""

from collections.abc import Callable
from typing import Any

from qipai.hall.accounts.account_interface import Account, Session
from qipai.hall.accounts.account_secrets import session_key
from qipai.hall.people.identity import wall_clock
from qipai.hall.relations.online_accounts import OnlineStatus
from qipai.hall.relations.relation_interface import ChallengesFrom, Privacy
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.support.hall_simulation import HallSimulation, Message, NativeClient

NEVER = Millis(9_999_999_999_999)


class RelationWorld:
    """Knows persons by their names; changes of relations are known to the hall when a method returns."""

    def __init__(self) -> None:
        self.store = open_accounts(None, "", wall_clock)
        self.simulation = HallSimulation(accounts=self.store)
        self.services = self.simulation.hall.account_services
        self.persons: dict[str, Person] = {}

    def __enter__(self) -> "RelationWorld":
        return self

    def __exit__(self, *error: object) -> None:
        self.simulation.close()
        assert self.simulation.errors == []

    def register(self, *names: str) -> None:
        """Create accounts."""
        for name in names:
            person = self.persons[name] = Person(f"person-{name}")
            account = Account(person, name, self.services.names.skeleton(name), Millis(1))
            self.store.register(account, "", [])
            key = session_key(name)
            self.store.start_session(Session(name, key, person, "", Millis(1), wall_clock(), NEVER))
        self.read()

    def read(self) -> None:
        """Let the hall read all changes."""
        last = self.store.accounts()[0]
        changes = self.services._changes
        assert changes is not None
        self.simulation.loop.call_soon(changes.read)
        self.simulation.settle()
        self.simulation.settle_until(lambda: changes._last == last and not changes._reading)

    def client(self, name: str) -> NativeClient:
        """Return a connection of an account, which is created if it does not exist."""
        if name not in self.persons:
            self.register(name)
        peer = NativeClient(self.simulation)
        peer.send("hello", session=name)
        self.until(peer, "welcome")
        peer.read_count = 1  # What follows the welcome is for the test.
        return peer

    def until(self, peer: NativeClient, *types: str) -> list[Message]:
        """Return the notices up to one of these types."""
        notices: list[Message] = []

        def arrived() -> bool:
            notices.extend(peer.received())
            return any(one["type"] in types for one in notices)

        self.simulation.settle_until(arrived)
        return notices

    def ask(self, peer: NativeClient, type_: str, *answers: str, **fields: Any) -> list[Message]:
        """Send a frame, and return the notices up to one of these types."""
        peer.received()
        peer.send(type_, **fields)
        return self.until(peer, *answers)

    def status(self, name: str) -> OnlineStatus | None:
        return self.services.online.status(self.persons[name])

    def follow(self, name: str, other: str) -> None:
        self._change(self.store.relations.follow, name, other)

    def block(self, name: str, other: str) -> None:
        self._change(self.store.relations.block, name, other)

    def unblock(self, name: str, other: str) -> None:
        self._change(self.store.relations.unblock, name, other)

    def privacy(
        self, name: str, *, invisible: bool = False, challenges_from: str = ChallengesFrom.EVERYONE
    ) -> None:
        chosen = Privacy(invisible, ChallengesFrom(challenges_from))
        self.store.relations.set_privacy(self.persons[name], chosen)
        self.read()

    def _change(self, change: Callable[[Person, Person], None], name: str, other: str) -> None:
        change(self.persons[name], self.persons[other])
        self.read()
