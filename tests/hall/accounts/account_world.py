"""Accounts in memory for tests, with a clock that is set by hand."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.accounts.account_refusals import AccountRefused
from qipai.hall.accounts.accounts import Accounts, Current, SignedIn
from qipai.hall.accounts.proofs import Client
from qipai.hall.cluster.cluster_mode import LocalCounters
from qipai.hall.people.names import Names
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.support.hall_simulation import deterministic_entropy

ADA, BO = Person("p1"), Person("p2")
HOME = Client("192.0.2.1", "Firefox")
CAFE = Client("192.0.2.2", "Phone")
GOOD = "correct horse battery staple"
OTHER = "seventeen purple giraffes"


class World:
    """Accounts in memory, with a clock that is set by hand."""

    def __init__(self, store: AccountStore | None = None) -> None:
        self.time = 1_700_000_000_000
        self.directory = AccountDirectory()
        self.store = store or open_accounts(None, "", self.now)
        self.keys = SigningKeys(b"k" * 32, self.now)
        names = Names(GAMES, self.directory.owner)
        self.accounts = Accounts(
            self.store, names, LocalCounters(), self.now, deterministic_entropy(), self.keys
        )
        self.changes = 0
        self.accounts.change_listeners.append(self._changed)

    @classmethod
    def sharing(cls, other: "World") -> "World":
        """Return another worker on the same database."""
        return cls(other.store)

    def _changed(self) -> None:
        self.changes += 1

    def now(self) -> Millis:
        return Millis(self.time)

    async def here(self, signed_in: SignedIn) -> Current:
        """Return the session of a device that was signed in."""
        current = await self.accounts.current(signed_in.token)
        assert current is not None
        return current

    async def ada(self, client: Client = HOME) -> SignedIn:
        return await self.accounts.register(ADA, "Ada", GOOD, client)


Test = Callable[[World], Coroutine[Any, Any, None]]


def accounts_test(test: Test) -> Callable[[], None]:
    """Run a coroutine with a world of its own."""

    @wraps(test)
    def run() -> None:
        world = World()
        try:
            asyncio.run(test(world))
        finally:
            world.accounts.close()

    del run.__wrapped__  # pytest would ask for the argument
    return run


async def refusal(work: Coroutine[Any, Any, object]) -> AccountRefused:
    with pytest.raises(AccountRefused) as caught:
        await work
    return caught.value
