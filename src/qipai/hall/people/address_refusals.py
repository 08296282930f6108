"""Counts what was refused because of a limit per address, for the metrics."""

from collections import Counter
from enum import StrEnum


class AddressLimit(StrEnum):
    """The limits per address of the hall. Those of connections and requests are the guard's."""

    GUESTS = "guests"
    ROOMS = "rooms"
    REPORTS = "reports"
    REPLAYS = "replays"
    """Replays, records and searches at once."""
    PREVIEWS = "previews"
    """Pictures of link previews at once."""
    CHAT = "chat"
    """The share of one address in the chat lines of a crowd."""


AddressRefusals = Counter[AddressLimit]
