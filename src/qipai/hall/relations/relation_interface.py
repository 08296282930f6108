"""The RelationStore interface: whom accounts follow and block, and what they let others see and do."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person

MOST_FOLLOWED: Final = 500
MOST_BLOCKED: Final = 500
"""Accounts that one account may follow, and block."""


class NoSuchAccount(StoreError):
    """One of the two accounts does not exist, or they are the same."""


class FollowRefused(StoreError):
    """The account that is to be followed has blocked the other."""


class BlockedByYou(StoreError):
    """Somebody who is blocked cannot be followed: the block must end first."""


class TooManyRelations(StoreError):
    """The account follows, or blocks, as many others as it may."""


class ChallengesFrom(StrEnum):
    """Whose challenges an account takes."""

    EVERYONE = "everyone"
    FOLLOWED = "followed"
    NOBODY = "nobody"


class Privacy(Struct, frozen=True):
    """What an account lets others see and do. `invisible`: it is shown as offline to everybody."""

    invisible: bool = False
    challenges_from: ChallengesFrom = ChallengesFrom.EVERYONE


PUBLIC: Final = Privacy()
"""How a new account is."""


class Related(NamedTuple):
    """A person whom an account follows or has blocked, and since when."""

    person: Person
    since: Millis


class Known(NamedTuple):
    """What workers keep in memory of an account, so that quick match and challenges ask no database."""

    privacy: Privacy = PUBLIC
    blocked: frozenset[Person] = frozenset()


class RelationStore(Protocol):
    """Stores relations beside the accounts. Every method is one transaction, and may raise `StoreError`.

    Those that change what workers keep in memory log a change of the account.
    """

    def follow(self, person: Person, followed: Person) -> None:
        """Follow an account, or raise one of the errors above; again changes nothing."""

    def unfollow(self, person: Person, followed: Person) -> None:
        """Follow an account no longer."""

    def block(self, person: Person, blocked: Person) -> None:
        """Block an account, and end that either follows the other; or raise one of the errors above."""

    def unblock(self, person: Person, blocked: Person) -> None:
        """Block an account no longer."""

    def set_privacy(self, person: Person, privacy: Privacy) -> None:
        """Store what an account lets others see and do; nothing is stored if it does not exist."""

    def followed(self, person: Person) -> Sequence[Related]:
        """Return whom an account follows, the latest first."""

    def blocked(self, person: Person) -> Sequence[Related]:
        """Return whom an account has blocked, the latest first."""

    def follows(self, person: Person, other: Person) -> bool:
        """Tell whether an account follows another."""

    def known(self, person: Person) -> Known:
        """Return what workers keep of an account."""

    def all_known(self) -> Mapping[Person, Known]:
        """Return what workers keep of all accounts; those without any of it are left out."""
