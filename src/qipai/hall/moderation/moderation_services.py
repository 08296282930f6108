"""The parts of a worker that know moderation, built together."""

from collections.abc import Collection
from secrets import token_bytes
from typing import Final

import structlog

from qipai.hall.accounts.account_secrets import first_operator_code, is_first_operator_code
from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.cluster.cluster_mode import ClusterMode
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.signing_keys import SigningKeys
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.kernel.ids import Person

from .appeals import Appeals
from .enforcement import Enforcement
from .moderation_reader import ModerationReader
from .operator_acts import NewSanction, OperatorActs
from .operator_directory import OperatorDirectory
from .operator_log_interface import Actor, LogEntry
from .sanction_index import SanctionIndex
from .sanction_interface import Sanction, SanctionKind

_OWN_MACHINE: Final = frozenset({"127.0.0.1", "::/64"})
_log: Final = structlog.get_logger("qipai.hall")


class ModerationServices:
    """Sanctions, roles and settings, the acts that change them, and what a worker does about them.

    Without accounts there are none, and nothing can be done.
    """

    def __init__(
        self,
        services: AccountServices,
        connections: Collection[Connection],
        executor: CommandExecutor,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        keys: SigningKeys,
        mode: ClusterMode,
    ) -> None:
        self.index = SanctionIndex()
        self.directory = OperatorDirectory()
        self.enforcement = Enforcement(
            self.index,
            self.directory,
            connections,
            executor,
            wall_clock,
            self._ban_addresses,
            self._log_first_code,
            alone=not mode.worker,
        )
        self.acts: OperatorActs | None = None
        self.appeals: Appeals | None = None
        self._accounts = services.accounts
        self._keys = keys
        self._connections = connections
        self._tasks = tasks
        self._incidents = incidents
        self._reader: ModerationReader | None = None
        if services.accounts is not None:
            self.acts = OperatorActs(
                services.accounts.ask,
                services.names,
                services.directory,
                wall_clock,
                token_bytes,
                self._name_of_guest,
            )
            self.appeals = Appeals(self.acts, self.index, services.directory, mode.counters)
            self._reader = ModerationReader(
                services.accounts.ask,
                self.index,
                self.directory,
                self.enforcement,
                executor.alarms,
                executor.now,
                wall_clock,
                tasks,
                incidents,
            )
            self.acts.listeners.append(self._reader.read)

    def start(self) -> None:
        """Load what is in force, and learn of acts from now on."""
        if self._reader is not None:
            self._reader.read()

    @property
    def open_reports(self) -> int:
        """Return how many reports were open a moment ago."""
        return 0 if self._reader is None else self._reader.open_reports

    def awaits_first_operator(self, address: str) -> bool:
        """Tell whether the code of the start is accepted from this address: on the machine of the server."""
        return self.directory.awaits_first_operator and address in _OWN_MACHINE

    async def claim_first_role(self, person: Person, code: str) -> bool:
        """Make a person the first operator, if the code is that of the start; tell whether it is now."""
        if self.acts is None or not any(is_first_operator_code(key, code) for key in self._keys.accepted()):
            return False
        return await self.acts.claim_first_role(person)

    def _name_of_guest(self, person: Person) -> str:
        """Return the name of a guest who is connected to this worker."""
        return next((each.name for each in self._connections if each.person == person), "")

    def _ban_addresses(self, entry: LogEntry, sanction: Sanction, addresses: frozenset[str]) -> None:
        """Ban the addresses of a banned person, in the name of who banned the person."""
        self._tasks.run(self._ban(entry, sanction, addresses))

    async def _ban(self, entry: LogEntry, sanction: Sanction, addresses: frozenset[str]) -> None:
        assert self.acts is not None
        actor = Actor(entry.by, entry.via, entry.user)
        for address in sorted(addresses):
            wanted = NewSanction(SanctionKind.BAN, sanction.reason, sanction.ends, network=address)
            try:
                await self.acts.impose(actor, wanted)
            except StoreError as error:
                self._incidents.accounts_unavailable(error)

    def _log_first_code(self) -> None:
        if self.directory.awaits_first_operator:
            _log.info(
                "no operator yet",
                code=first_operator_code(self._keys.signing()),
                how="enter the code on the account page of this machine, or type `qipai operator add NAME`",
            )
