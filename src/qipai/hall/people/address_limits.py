"""Limits per address: new guests, new rooms and reports in a minute."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.kernel.ids import Millis

from .person_quota import Quota, SlidingWindow

WINDOW: Final = 60_000
REPORTS: Final = 20
"""Reports per minute and address: identities are free, so a limit per person is not enough."""
_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How much one address may do per minute; 0 is unlimited.

    `guests`: persons that a worker creates for it. `rooms`: rooms that it opens, on all workers together.
    """

    guests: _Count = 120
    rooms: _Count = 60


UNLIMITED: Final = Limits(0, 0)


class AddressLimits:
    """Counts by address. A connection without an address, such as one in a test, is not limited."""

    def __init__(self, counters: SharedCounters, limits: Limits) -> None:
        self._guests = SlidingWindow(limits.guests, WINDOW) if limits.guests else None
        self._rooms = Quota(counters, "rooms", limits.rooms, WINDOW) if limits.rooms else None
        self._reports = Quota(counters, "reports-of", REPORTS, WINDOW)

    def may_create_guest(self, address: str, now: Millis) -> bool:
        """Count a new person; tell whether the address may have it."""
        return self._guests is None or not address or self._guests.allow(address, now)

    async def may_open_room(self, address: str, now: Millis) -> bool:
        """Count a new room; tell whether the address may have it."""
        return self._rooms is None or not address or await self._rooms.spend_for(address, now)

    async def may_report(self, address: str, now: Millis) -> bool:
        """Count a report; tell whether the address may make it."""
        return not address or await self._reports.spend_for(address, now)
