"""What people do with relations: follow, block, see who is online, choose what others see."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from qipai.hall.accounts.account_interface import Account, AccountStore
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.people.person_quota import Quota
from qipai.kernel.ids import Millis, Person

from .online_accounts import OnlineAccounts, OnlineStatus
from .relation_directory import RelationDirectory
from .relation_interface import (
    BlockedByYou,
    ChallengesFrom,
    FollowRefused,
    NoSuchAccount,
    Privacy,
    Related,
    TooManyRelations,
)

CHANGES: Final = 60
LOOKS: Final = 60
WINDOW: Final = 60_000
"""Changes of relations, and looks at who is online, that one account may make in so many milliseconds."""


class Followed(NamedTuple):
    """Somebody whom an account follows; `status` is None if that account is offline or invisible."""

    account: Account
    since: Millis
    status: OnlineStatus | None


class Relation(NamedTuple):
    """What one account may know of its relation to another.

    `takes_challenges`: whether the other takes challenges of anybody at all. `status`: as in `Followed`, and
    None for those who do not follow.
    """

    followed: bool
    blocked: bool
    takes_challenges: bool
    status: OnlineStatus | None


class Relations:
    """Everything that people do with relations; refuses by `AccountRefused`."""

    def __init__(
        self,
        accounts: Accounts,
        account_of: Callable[[Person], Account | None],
        known: RelationDirectory,
        online: OnlineAccounts,
        counters: SharedCounters,
    ) -> None:
        self._accounts = accounts
        self._account_of = account_of
        self._known = known
        self._online = online
        self._changes = Quota(counters, "relations", CHANGES, WINDOW)
        self._looks = Quota(counters, "looks", LOOKS, WINDOW)

    async def follow(self, person: Person, other: Account | None) -> None:
        """Follow an account."""
        await self._change(person, other, lambda store, followed: store.relations.follow(person, followed))

    async def unfollow(self, person: Person, other: Account | None) -> None:
        """Follow an account no longer."""
        await self._change(person, other, lambda store, followed: store.relations.unfollow(person, followed))

    async def block(self, person: Person, other: Account | None) -> None:
        """Block an account; it is not told."""
        await self._change(person, other, lambda store, blocked: store.relations.block(person, blocked))
        self._accounts.changed()

    async def unblock(self, person: Person, other: Account | None) -> None:
        """Block an account no longer."""
        await self._change(person, other, lambda store, blocked: store.relations.unblock(person, blocked))
        self._accounts.changed()

    async def set_privacy(self, person: Person, privacy: Privacy) -> None:
        """Choose what others see and do."""
        await self._spend(self._changes, person)
        await self._accounts.ask(lambda store: store.relations.set_privacy(person, privacy))
        self._accounts.changed()

    async def followed(self, person: Person) -> Sequence[Followed]:
        """Return whom an account follows, and where they are; those who are online first, then by name."""
        await self._spend(self._looks, person)
        rows = await self._accounts.ask(lambda store: store.relations.followed(person))
        found = [
            Followed(account, since, self._online.status(account.person))
            for account, since in self._named(rows)
        ]
        return sorted(found, key=lambda each: (each.status is None, each.account.skeleton))

    async def stored(self, person: Person) -> dict[str, Any]:
        """Return everything that is stored of the relations of an account, as its owner sees it."""
        relations = [
            await self._accounts.ask(lambda store: store.relations.followed(person)),
            await self._accounts.ask(lambda store: store.relations.blocked(person)),
        ]
        followed, blocked = (
            [{"name": account.name, "since": since} for account, since in self._named(rows)]
            for rows in relations
        )
        privacy = (await self._accounts.ask(lambda store: store.relations.known(person))).privacy
        return {
            "followed": followed,
            "blocked": blocked,
            "invisible": privacy.invisible,
            "challenges_from": privacy.challenges_from,
        }

    async def between(self, person: Person, other: Person) -> Relation:
        """Return what an account may know of its relation to another."""
        followed = await self.follows(person, other)
        known = await self._accounts.ask(lambda store: store.relations.known(person))
        return Relation(
            followed,
            other in known.blocked,
            self._known.privacy(other).challenges_from is not ChallengesFrom.NOBODY,
            self._online.status(other) if followed else None,
        )

    async def follows(self, person: Person, other: Person) -> bool:
        """Tell whether an account follows another."""
        return await self._accounts.ask(lambda store: store.relations.follows(person, other))

    async def _change(
        self, person: Person, other: Account | None, change: Callable[[AccountStore, Person], None]
    ) -> None:
        await self._spend(self._changes, person)
        if other is None:
            raise AccountRefused(AccountRefusal.NO_SUCH_PLAYER)
        try:
            await self._accounts.ask(lambda store: change(store, other.person))
        except NoSuchAccount as error:
            raise AccountRefused(AccountRefusal.NO_SUCH_PLAYER) from error
        except FollowRefused as error:
            raise AccountRefused(AccountRefusal.FOLLOW_REFUSED) from error
        except BlockedByYou as error:
            raise AccountRefused(AccountRefusal.BLOCKED_BY_YOU) from error
        except TooManyRelations as error:
            raise AccountRefused(AccountRefusal.TOO_MANY_PLAYERS) from error

    async def _spend(self, quota: Quota, person: Person) -> None:
        if not await quota.spend_for(person, self._accounts.now()):
            raise AccountRefused(AccountRefusal.RATE_LIMITED)

    def _named(self, rows: Sequence[Related]) -> list[tuple[Account, Millis]]:
        """Return the accounts of persons; one that was just deleted is left out."""
        named = [(self._account_of(person), since) for person, since in rows]
        return [(account, since) for account, since in named if account is not None]
