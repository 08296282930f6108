"""Carries out the acts of operators and moderators: each is checked, and stored with its entry."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.accounts.account_secrets import invitation_key, new_invitation_code
from qipai.hall.journal.store_interface import Entropy, Now
from qipai.hall.people.names import Names
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis, Person, RoomId

from .moderation_interface import ActRefusal, ActRefused, Announcement, Invitation, Registrations, Setting
from .operator_log_interface import Act, Actor, LogEntry, Via
from .sanction_interface import Role, Sanction, SanctionKind, parse_network

MAX_REASON: Final = 300
MAX_NOTE: Final = 2_000
MAX_ANNOUNCEMENT: Final = 500
LAST_END: Final = 253_370_764_800_000
"""Milliseconds at which year 9999 begins: later times cannot be written as dates."""
NAME_RESERVED: Final = 90 * 24 * 60 * 60 * 1000
"""Milliseconds in which nobody may take the former name of an account that was renamed."""
_GUEST: Final = re.compile(r"[a-z2-7]{20}")
"""The id of a person, as `Identity` makes it."""
_NEED_REASON: Final = frozenset({Act.IMPOSE, Act.LIFT, Act.RESTORE, Act.RENAME, Act.CLOSE_TABLE})

T = TypeVar("T")


class Ask(Protocol):
    """Asks the store, in its thread."""

    async def __call__(self, work: Callable[[AccountStore], T]) -> T:
        """Return what the store answers."""


class NewSanction(NamedTuple):
    """A sanction that is wanted: of a person, of an account by its name, or of a network."""

    kind: SanctionKind
    reason: str
    ends: Millis | None = None
    person: str = ""
    account: str = ""
    network: str = ""
    with_addresses: bool = False


class OperatorActs:
    """Everything that operators and moderators do. `guest_name` returns the name of a guest, if known."""

    def __init__(
        self,
        ask: Ask,
        names: Names,
        accounts: AccountDirectory,
        now: Now,
        entropy: Entropy,
        guest_name: Callable[[Person], str],
    ) -> None:
        self.ask = ask
        self._names = names
        self._accounts = accounts
        self.now = now
        self._entropy = entropy
        self._guest_name = guest_name
        self.listeners: list[Callable[[], None]] = []
        """Called after each act."""

    # Persons

    async def impose(self, actor: Actor, wanted: NewSanction, own_address: str = "") -> LogEntry:
        """Impose a sanction; refuse one that would hit the address of the actor."""
        entry = self._entry(actor, Act.IMPOSE, wanted.reason)
        _check_end(wanted.ends, entry.at)
        if wanted.network:
            network = self._network(wanted, own_address)
            entry = replace(entry, network=network)
        else:
            person = self._person(wanted.person, wanted.account)
            if person == actor.person:
                raise ActRefused(ActRefusal.YOURSELF)
            entry = replace(entry, person=person, name=self._name_of_guest(person))
        entry = replace(entry, after=wanted.kind.value)
        sanction = Sanction(
            0,
            wanted.kind,
            entry.person,
            entry.network,
            entry.name,
            entry.reason,
            entry.at,
            wanted.ends,
            with_addresses=wanted.with_addresses and wanted.kind is SanctionKind.BAN and bool(entry.person),
        )
        return await self._store(lambda store: store.moderation.impose(entry, sanction))

    async def lift(self, actor: Actor, sanction: int, reason: str, undoes: int = 0) -> LogEntry:
        """End a sanction."""
        entry = replace(self._entry(actor, Act.LIFT, reason), sanction=sanction, undoes=undoes)
        entry = await self._about_sanction(entry)
        return await self._store(lambda store: store.moderation.lift(entry))

    async def rename(self, actor: Actor, person: str, name: str, reason: str, undoes: int = 0) -> LogEntry:
        """Give an account another name."""
        shown = self._names.clean_for_account(name)
        if shown is None:
            raise ActRefused(ActRefusal.BAD_NAME)
        account = self._accounts.account(Person(person))
        if account is None:
            raise ActRefused(ActRefusal.NO_SUCH_PERSON)
        if account.name == shown:
            raise ActRefused(ActRefusal.NOTHING_TO_CHANGE)
        entry = replace(
            self._entry(actor, Act.RENAME, reason), person=account.person, after=shown, undoes=undoes
        )
        skeleton, free_after = self._names.skeleton(shown), Millis(entry.at + NAME_RESERVED)
        return await self._store(lambda store: store.moderation.rename(entry, skeleton, free_after))

    async def set_role(
        self, actor: Actor, person: str, account: str, role: Role | None, reason: str, undoes: int = 0
    ) -> LogEntry:
        """Give an account a role, or take it away."""
        found = self._accounts.account(self._person(person, account))
        if found is None:
            raise ActRefused(ActRefusal.NO_SUCH_PERSON)
        act = Act.REMOVE_ROLE if role is None else Act.GRANT_ROLE
        entry = replace(self._entry(actor, act, reason), person=found.person, undoes=undoes)
        return await self._store(lambda store: store.moderation.set_role(entry, role))

    async def allow_token(self, actor: Actor, person: Person, key: bytes, name: str) -> LogEntry:
        """Let an API token use the role of its person."""
        entry = replace(self._entry(actor, Act.ALLOW_TOKEN, name), person=person)
        return await self._store(lambda store: store.moderation.allow_token(entry, key))

    async def claim_first_role(self, person: Person) -> bool:
        """Make a person with the code of the start the first operator; tell whether nobody had a role."""
        entry = replace(self._entry(Actor(person, Via.PAGE), Act.GRANT_ROLE, ""), person=person)
        claimed = await self.ask(lambda store: store.moderation.claim_first_role(entry))
        self._acted()
        return claimed is not None

    # The server

    async def close_table(self, actor: Actor, room: str, reason: str) -> LogEntry:
        """Close a table; workers do it when they read the entry."""
        entry = replace(self._entry(actor, Act.CLOSE_TABLE, reason), room=RoomId(room))
        return await self._store(lambda store: store.moderation.note(entry))

    async def announce(self, actor: Actor, text: str, ends: Millis | None, reason: str = "") -> LogEntry:
        """Show a text on all pages until its end; an empty text ends the announcement."""
        _check_end(ends, self.now())
        shown = Announcement(clean_line(text, MAX_ANNOUNCEMENT), ends if text else None)
        content = msgspec.json.encode(shown).decode() if shown.text else ""
        entry = replace(self._entry(actor, Act.ANNOUNCE, reason), after=content)
        return await self._store(lambda store: store.moderation.set_value(entry, Setting.ANNOUNCEMENT))

    async def set_registrations(self, actor: Actor, wanted: Registrations, reason: str = "") -> LogEntry:
        """Set who may create an account."""
        entry = replace(self._entry(actor, Act.SET_REGISTRATIONS, reason), after=wanted.value)
        return await self._store(lambda store: store.moderation.set_value(entry, Setting.REGISTRATIONS))

    async def invite(
        self, actor: Actor, uses: int, ends: Millis | None, note: str = ""
    ) -> tuple[LogEntry, str]:
        """Make an invitation code, which is shown only once."""
        _check_end(ends, self.now())
        code = new_invitation_code(self._entropy)
        entry = self._entry(actor, Act.INVITE, note)
        invitation = Invitation(0, invitation_key(code), entry.reason, entry.at, ends, uses)
        return await self._store(lambda store: store.moderation.invite(entry, invitation)), code

    async def revoke(self, actor: Actor, invitation: int, reason: str = "", undoes: int = 0) -> LogEntry:
        """End an invitation."""
        entry = replace(
            self._entry(actor, Act.REVOKE_INVITATION, reason), invitation=invitation, undoes=undoes
        )
        return await self._store(lambda store: store.moderation.revoke(entry))

    # Reports

    async def change_report(
        self, actor: Actor, act: Act, report: int, value: str = "", reason: str = "", undoes: int = 0
    ) -> LogEntry:
        """Assign, annotate, close or reopen a report."""
        if act is Act.ASSIGN_REPORT and value and self._accounts.account(Person(value)) is None:
            raise ActRefused(ActRefusal.NO_SUCH_PERSON)
        entry = replace(self._entry(actor, act, reason), report=report, after=value[:MAX_NOTE], undoes=undoes)
        return await self._store(lambda store: store.moderation.change_report(entry))

    # Undo

    async def undo(self, actor: Actor, number: int, reason: str) -> LogEntry:
        """Undo an act by another act, which is an entry of its own."""
        entry = await self.ask(lambda store: store.moderation.entry(number))
        if entry is None:
            raise ActRefused(ActRefusal.NO_SUCH_ENTRY)
        if entry.undone_by:
            raise ActRefused(ActRefusal.ALREADY_UNDONE)
        if entry.undoes:
            raise ActRefused(ActRefusal.CANNOT_BE_UNDONE)
        match entry.act:
            case Act.GRANT_ROLE | Act.REMOVE_ROLE:
                role = Role(entry.before) if entry.before else None
                return await self.set_role(actor, entry.person, "", role, reason, number)
            case Act.IMPOSE | Act.RESTORE:
                return await self.lift(actor, entry.sanction, reason, number)
            case Act.LIFT:
                return await self._restore(actor, entry.sanction, reason, number)
            case Act.RENAME if entry.before:
                return await self.rename(actor, entry.person, entry.before, reason, number)
            case Act.ANNOUNCE:
                return await self._set_again(actor, entry, Setting.ANNOUNCEMENT, reason)
            case Act.SET_REGISTRATIONS:
                return await self._set_again(actor, entry, Setting.REGISTRATIONS, reason)
            case Act.INVITE:
                return await self.revoke(actor, entry.invitation, reason, number)
            case Act.ASSIGN_REPORT | Act.NOTE_REPORT:
                return await self.change_report(actor, entry.act, entry.report, entry.before, reason, number)
            case Act.CLOSE_REPORT:
                return await self.change_report(actor, Act.REOPEN_REPORT, entry.report, "", reason, number)
            case Act.REOPEN_REPORT:
                return await self.change_report(actor, Act.CLOSE_REPORT, entry.report, "", reason, number)
            case _:
                raise ActRefused(ActRefusal.CANNOT_BE_UNDONE)

    # Parts of these

    async def _restore(self, actor: Actor, sanction: int, reason: str, undoes: int) -> LogEntry:
        entry = replace(self._entry(actor, Act.RESTORE, reason), sanction=sanction, undoes=undoes)
        entry = await self._about_sanction(entry)
        return await self._store(lambda store: store.moderation.restore(entry))

    async def _about_sanction(self, entry: LogEntry) -> LogEntry:
        """Return the entry with the person or the network of its sanction, which decide who may do it."""
        found = await self.ask(lambda store: store.moderation.sanction(entry.sanction))
        if found is None:
            raise ActRefused(ActRefusal.NO_SUCH_SANCTION)
        if found.person and found.person == entry.by:
            raise ActRefused(ActRefusal.YOURSELF)
        return replace(
            entry, person=found.person, name=found.name, network=found.network, before=found.kind.value
        )

    async def _set_again(self, actor: Actor, undone: LogEntry, setting: Setting, reason: str) -> LogEntry:
        after = undone.before
        if setting is Setting.REGISTRATIONS:
            after = after or Registrations.OPEN.value
        entry = replace(self._entry(actor, undone.act, reason), after=after, undoes=undone.number)
        return await self._store(lambda store: store.moderation.set_value(entry, setting))

    def _entry(self, actor: Actor, act: Act, reason: str) -> LogEntry:
        cleaned = clean_line(reason, MAX_REASON)
        if act in _NEED_REASON and not cleaned:
            raise ActRefused(ActRefusal.NO_REASON)
        return LogEntry(0, self.now(), actor.person, actor.via, act, cleaned, actor.user)

    def _network(self, wanted: NewSanction, own_address: str) -> str:
        if wanted.kind is SanctionKind.WARNING:
            raise ActRefused(ActRefusal.BAD_NETWORK, "a warning is for a person")
        try:
            network = parse_network(wanted.network)
        except ValueError as error:
            raise ActRefused(ActRefusal.BAD_NETWORK, str(error)) from error
        if own_address:
            own = parse_network(own_address)
            if own.version == network.version and own.network_address in network:
                raise ActRefused(ActRefusal.OWN_ADDRESS)
        return str(network)

    def _person(self, person: str, account: str) -> Person:
        """Return the person with this id, or that of the account with this name."""
        if account:
            owner = self._accounts.owner(self._names.skeleton(account))
            if owner is None:
                raise ActRefused(ActRefusal.NO_SUCH_PERSON)
            return owner
        if self._accounts.account(Person(person)) is None and not _GUEST.fullmatch(person):
            raise ActRefused(ActRefusal.NO_SUCH_PERSON)
        return Person(person)

    def _name_of_guest(self, person: Person) -> str:
        return "" if self._accounts.account(person) is not None else self._guest_name(person)

    async def _store(self, work: Callable[[AccountStore], LogEntry]) -> LogEntry:
        entry = await self.ask(work)
        self._acted()
        return entry

    def _acted(self) -> None:
        for listener in self.listeners:
            listener()


def _check_end(ends: Millis | None, now: Millis) -> None:
    if ends is not None and not now < ends < LAST_END:
        raise ActRefused(ActRefusal.BAD_END)
