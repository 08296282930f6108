"""Limits per address: new guests, new rooms and reports in a minute."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from qipai.hall.api_tokens.api_token_settings import ApiTokenSettings
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.kernel.ids import Millis

from .address_refusals import AddressLimit, AddressRefusals
from .person_quota import Quota, SlidingWindow

WINDOW: Final = 60_000
REPORTS: Final = 20
"""Reports per minute and address: identities are free, so a limit per person is not enough."""
_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How much one address may do per minute; 0 is unlimited.

    `guests`: persons that a worker creates for it. `rooms`: rooms that it opens, on all workers together.
    `api_tokens`: how much programs may do, whatever their address.
    """

    guests: _Count = 120
    rooms: _Count = 60
    api_tokens: ApiTokenSettings = ApiTokenSettings()


UNLIMITED: Final = Limits(0, 0)
_UNCOUNTED: Final = frozenset({"", "127.0.0.1", "::/64"})


def is_counted(address: str) -> bool:
    """Tell whether limits count this address: not an unknown one, nor that of the machine itself.

    A proxy on the same machine that does not name its clients stands for all of them.
    """
    return address not in _UNCOUNTED


class AddressLimits:
    """Counts by address, and what it refuses."""

    def __init__(self, counters: SharedCounters, limits: Limits, refused: AddressRefusals) -> None:
        self._refused = refused
        self._guests = SlidingWindow(limits.guests, WINDOW) if limits.guests else None
        self._rooms = Quota(counters, "rooms", limits.rooms, WINDOW) if limits.rooms else None
        self._reports = Quota(counters, "reports-of", REPORTS, WINDOW)

    def may_create_guest(self, address: str, now: Millis) -> bool:
        """Count a new person; tell whether the address may have it."""
        allowed = self._guests is None or not is_counted(address) or self._guests.allow(address, now)
        return self._count(AddressLimit.GUESTS, allowed=allowed)

    async def may_open_room(self, address: str, now: Millis) -> bool:
        """Count a new room; tell whether the address may have it."""
        allowed = self._rooms is None or not is_counted(address) or await self._rooms.spend_for(address, now)
        return self._count(AddressLimit.ROOMS, allowed=allowed)

    async def may_report(self, address: str, now: Millis) -> bool:
        """Count a report; tell whether the address may make it."""
        allowed = not is_counted(address) or await self._reports.spend_for(address, now)
        return self._count(AddressLimit.REPORTS, allowed=allowed)

    def _count(self, limit: AddressLimit, *, allowed: bool) -> bool:
        if not allowed:
            self._refused[limit] += 1
        return allowed
