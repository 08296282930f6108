"""Enforces sanctions on this worker, tells people of them, and carries out the acts in the log."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from qipai.hall.connections.connection import BANNED, Connection
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.journal.store_interface import Now
from qipai.hall.people.address_limits import is_counted
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.commands import Close
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId
from qipai.kernel.refusals import Refusal
from qipai.protocol.notices import Announcement, Refused, Sanctions, SanctionView

from .moderation_interface import ModerationChanges
from .operator_directory import OperatorDirectory
from .operator_log_interface import Act, LogEntry
from .sanction_index import SanctionIndex
from .sanction_interface import Sanction, SanctionKind

OTHERS_KNOW: Final = 1_500
"""Milliseconds until all workers have read an act: they say why before the first one closes a table."""


class Enforcement:
    """Checks connections when they connect, say hello, write, or take a seat at a rated table.

    `ban_addresses` bans addresses too, because of a ban of a person; `loaded_listener` is called once.
    """

    def __init__(
        self,
        index: SanctionIndex,
        directory: OperatorDirectory,
        connections: Iterable[Connection],
        executor: CommandExecutor,
        now: Now,
        ban_addresses: Callable[[LogEntry, Sanction, frozenset[str]], None],
        loaded_listener: Callable[[], None],
        *,
        alone: bool,
    ) -> None:
        self._close_after = 0 if alone else OTHERS_KNOW
        self._index = index
        self._directory = directory
        self._connections = connections
        self._executor = executor
        self._now = now
        self._ban_addresses = ban_addresses
        self._loaded_listener = loaded_listener

    # Checks

    def closes_banned(self, connection: Connection, person: str | None = None) -> bool:
        """Tell whether the person or the address of a connection is banned; then it is closed."""
        wanted = Person(person) if person else connection.person
        ban = self._index.one(SanctionKind.BAN, wanted, connection.address, self._now())
        if ban is None:
            return False
        try:
            connection.send_notice(Sanctions((_view(ban),), ban.id))
        finally:
            connection.outbox.close(BANNED, f"banned: {ban.reason}")
        return True

    def is_muted(self, connection: Connection) -> bool:
        """Tell whether the connection may write nothing."""
        return self._found(SanctionKind.MUTE, connection) is not None

    def refuses_muted(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        """Tell whether the connection may write nothing; then it is refused."""
        return self._refuses(SanctionKind.MUTE, Refusal.MUTED, connection, room, nonce)

    def refuses_unrated(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        """Tell whether the connection may not play at rated tables; then it is refused."""
        return self._refuses(SanctionKind.UNRATED, Refusal.UNRATED, connection, room, nonce)

    def ban_of_address(self, address: str) -> Sanction | None:
        """Return the ban of an address."""
        return self._index.one(SanctionKind.BAN, None, address, self._now())

    def greet(self, connection: Connection) -> None:
        """Tell a connection that has said hello of its sanctions, and of the announcement."""
        now = self._now()
        if found := self._index.of(connection.person, connection.address, now):
            connection.send_notice(Sanctions(tuple(map(_view, found))))
        if (shown := self._directory.announcement_at(now)) is not None:
            connection.send_notice(Announcement(shown.text, now, shown.ends))

    def _found(self, kind: SanctionKind, connection: Connection) -> Sanction | None:
        return self._index.one(kind, connection.person, connection.address, self._now())

    def _refuses(
        self, kind: SanctionKind, code: Refusal, connection: Connection, room: str, nonce: str
    ) -> bool:
        found = self._found(kind, connection)
        if found is not None:
            connection.send_notice(Refused(code, room, nonce, found.reason, until=found.ends))
        return found is not None

    # Acts

    def loaded(self) -> None:
        """Close the banned connections that came before the sanctions were known."""
        for connection in tuple(self._connections):
            with FailureIsolation(connection.failed):
                self.closes_banned(connection)
        self._loaded_listener()

    def changed(self, changes: ModerationChanges) -> None:
        """Carry out new acts."""
        imposed = {each.sanction: each for each in changes.entries if each.act in (Act.IMPOSE, Act.RESTORE)}
        for sanction in changes.sanctions:
            self._tell(sanction, imposed.get(sanction.id))
        for entry in changes.entries:
            if entry.act is Act.CLOSE_TABLE:
                self._close_table(entry.room, entry.reason)
        if any(entry.act is Act.ANNOUNCE for entry in changes.entries):
            self._announce()

    def _tell(self, sanction: Sanction, entry: LogEntry | None) -> None:
        """Tell the connections that a sanction concerns; close those that are banned."""
        now = self._now()
        concerned = [each for each in self._connections if self._concerns(sanction, each)]
        in_force = entry is not None and sanction.in_force(now)
        if entry is not None and in_force and sanction.with_addresses:
            self._ban_addresses(entry, sanction, self._addresses_of(concerned))
        for connection in concerned:
            with FailureIsolation(connection.failed):
                if in_force and sanction.kind is SanctionKind.BAN and self.closes_banned(connection):
                    continue
                found = self._index.of(connection.person, connection.address, now)
                connection.send_notice(Sanctions(tuple(map(_view, found)), sanction.id if in_force else 0))

    def _concerns(self, sanction: Sanction, connection: Connection) -> bool:
        if sanction.person:
            return connection.person == sanction.person
        return is_counted(connection.address) and self._index.covers(sanction.network, connection.address)

    def _addresses_of(self, connections: Iterable[Connection]) -> frozenset[str]:
        """Return the addresses of connections, without those from which somebody with a role is connected."""
        own = {each.address for each in self._connections if self._directory.role(each.person)}
        return frozenset(each.address for each in connections if is_counted(each.address)) - own

    def _close_table(self, room: RoomId, reason: str) -> None:
        live = self._executor.live_rooms.get(room)
        if live is not None:
            shown = Announcement(reason, self._now(), room=room)
            self._executor.fan_out.send_notice(tuple(live.members), shown)
            due = Millis(self._executor.now() + self._close_after)
            self._executor.alarms.set(("close", room), due, partial(self._close, room))

    def _close(self, room: RoomId) -> None:
        live = self._executor.live_rooms.get(room)
        if live is not None:
            self._executor.submit(live, SYSTEM, Close(), self._executor.now())

    def _announce(self) -> None:
        now = self._now()
        shown = self._directory.announcement_at(now)
        notice = Announcement("", now) if shown is None else Announcement(shown.text, now, shown.ends)
        self._executor.fan_out.send_notice(tuple(self._connections), notice)


def _view(sanction: Sanction) -> SanctionView:
    return SanctionView(sanction.id, sanction.kind.value, sanction.reason, sanction.made, sanction.ends)
