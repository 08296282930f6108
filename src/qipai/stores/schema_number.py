"""Schema numbers: how a store or an archive is laid out, and how an earlier schema becomes the present one.

To change the tables of SQLite or PostgreSQL, or the keys of Redis: raise `number` of that `Schema`, and add
the migration from the number before with its test.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from qipai.hall.journal.store_interface import StoreError

T = TypeVar("T")


class Schema(NamedTuple, Generic[T]):
    """The schemas that this release reads, from `oldest` to `number`, which is the one it writes.

    `migrations`: for each earlier number a function that turns it into the next. It gets the open database.
    """

    number: int
    oldest: int
    migrations: Mapping[int, Callable[[T], None]] = MappingProxyType({})

    def is_earlier(self, name: str, found: int, *, update: bool) -> bool:
        """Tell whether a schema must be migrated; raise `StoreError` if it is not readable.

        Without `update` a schema that must be migrated is refused too. `name` names the store in the error.
        """
        if not self.oldest <= found <= self.number:
            release = (
                "a newer release wrote it, so use that release"
                if found > self.number
                else "an earlier release wrote it; keep it for that release, and start with an empty one"
            )
            earliest = "schema" if self.oldest == self.number else f"schemas {self.oldest} to"
            raise StoreError(
                f"{name} has schema {found}; this server reads {earliest} {self.number}: {release}"
            )
        if found < self.number and not update:
            raise StoreError(
                f"{name} has schema {found}, which an earlier release wrote: "
                f"start the server once to update it to schema {self.number}"
            )
        return found < self.number

    def steps(self, found: int) -> Iterator[tuple[int, Callable[[T], None]]]:
        """Yield each migration that a schema needs, with the number that it leads to."""
        for number in range(found, self.number):
            yield number + 1, self.migrations[number]
