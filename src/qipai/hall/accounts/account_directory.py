"""What a worker knows of all accounts without asking the database: their persons and names."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from qipai.kernel.ids import Person

from .account_interface import Account


class AccountDirectory:
    """The accounts as of the last change that was read.

    Guest tokens of persons with an account are not accepted, and guests may not have a name like theirs. Both
    are checked at every hello, so the answer is in memory: about 340 bytes for each account.
    """

    def __init__(self) -> None:
        self._accounts: dict[Person, Account] = {}
        self._owners: dict[str, Person] = {}
        self._deleted: set[Person] = set()
        self.deletion_listeners: list[Callable[[], None]] = []
        """Called when an account was deleted, and when its name was removed from finished games."""

    def __len__(self) -> int:
        return len(self._accounts)

    def load(self, accounts: Iterable[Account], deleted: Iterable[Person] = ()) -> None:
        """Replace everything."""
        self._deleted = {*deleted}
        self._accounts.clear()
        self._owners.clear()
        for account in accounts:
            self.put(account)

    def put(self, account: Account) -> None:
        """Add an account, or replace what is known of it."""
        self._forget_name(account.person)
        self._accounts[account.person] = account
        self._owners[account.skeleton] = account.person

    def delete(self, person: Person) -> None:
        """Forget an account that was deleted, and accept its person no more."""
        self._forget_name(person)
        self._accounts.pop(person, None)
        self._deleted.add(person)
        for listener in self.deletion_listeners:
            listener()

    def accepts_guest(self, person: Person) -> bool:
        """Tell whether a guest token of this person is accepted: it has no account, and had none."""
        return person not in self._accounts and person not in self._deleted

    def account(self, person: Person) -> Account | None:
        """Return the account of a person."""
        return self._accounts.get(person)

    def owner(self, skeleton: str) -> Person | None:
        """Return the person whose account has a name like this."""
        return self._owners.get(skeleton)

    def with_part(self, skeleton: str, most: int) -> Sequence[Person]:
        """Return persons whose accounts have names with a part like this, at most so many."""
        found = (person for known, person in self._owners.items() if skeleton in known)
        return list(islice(found, most)) if skeleton else ()

    def _forget_name(self, person: Person) -> None:
        before = self._accounts.get(person)
        if before is not None and self._owners.get(before.skeleton) == person:
            del self._owners[before.skeleton]
