"""Appeals against sanctions: written by the person, or from an address that is concerned."""

from collections.abc import Sequence
from typing import Final

from qipai.hall.accounts.account_directory import AccountDirectory
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.person_quota import Quota
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Person

from .moderation_interface import ActRefusal, ActRefused
from .operator_acts import OperatorActs
from .report_interface import Report, ReportKind
from .sanction_index import SanctionIndex
from .sanction_interface import Sanction, SanctionKind

MAX_APPEAL: Final = 2_000
MOST: Final = 5
"""Appeals of one person and of one address in a window."""
WINDOW: Final = 24 * 60 * 60 * 1000
MOST_OPEN: Final = 10_000


class Appeals:
    """Lists the sanctions that somebody has, and takes an appeal against one of them."""

    def __init__(
        self, acts: OperatorActs, index: SanctionIndex, accounts: AccountDirectory, counters: SharedCounters
    ) -> None:
        self._acts = acts
        self._index = index
        self._accounts = accounts
        self._of_person = Quota(counters, "appeals", MOST, WINDOW)
        self._of_address = Quota(counters, "appeals-of", MOST, WINDOW)

    def sanctions_of(self, person: Person | None, address: str) -> Sequence[Sanction]:
        """Return the sanctions in force for a person and an address."""
        return self._index.of(person, address, self._acts.now())

    async def appeal(self, person: Person | None, address: str, sanction: int, text: str) -> None:
        """Store an appeal, or raise `ActRefused`."""
        concerned = {each.id: each for each in self.sanctions_of(person, address)}
        found = concerned.get(sanction)
        if found is None or found.kind is SanctionKind.WARNING:
            raise ActRefused(ActRefusal.NO_SUCH_SANCTION)
        cleaned = clean_line(text, MAX_APPEAL)
        if not cleaned:
            raise ActRefused(ActRefusal.NO_REASON)
        now = self._acts.now()
        if is_counted(address) and not await self._of_address.spend_for(address, now):
            raise ActRefused(ActRefusal.RATE_LIMITED)
        if person is not None and not await self._of_person.spend_for(person, now):
            raise ActRefused(ActRefusal.RATE_LIMITED)
        account = None if person is None else self._accounts.account(person)
        report = Report(
            0,
            ReportKind.APPEAL,
            now,
            person or Person(""),
            found.name if account is None else account.name,
            cleaned,
            sanction=sanction,
        )
        if not await self._acts.ask(lambda store: store.moderation.file_report(report, MOST_OPEN)):
            raise ActRefused(ActRefusal.RATE_LIMITED)
