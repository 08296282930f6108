"""Roles and sanctions, and the networks that sanctions of addresses name."""

from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Final

from msgspec import Struct

from qipai.kernel.ids import Millis, Person

WIDEST_IPV4: Final = 8
WIDEST_IPV6: Final = 16
"""Bits of the widest networks that can be banned: more would be a mistake."""
NARROWEST_IPV6: Final = 64
"""One customer of a provider has a whole /64."""
IPV4_MAPPED_BITS: Final = 96
"""Bits before the IPv4 address in an IPv6 address that maps one."""


class Role(StrEnum):
    """What a person may do beside playing. An operator may do everything that a moderator may."""

    MODERATOR = "moderator"
    OPERATOR = "operator"

    def includes(self, other: "Role") -> bool:
        """Tell whether this role may do what the other may."""
        return self is Role.OPERATOR or self is other


class SanctionKind(StrEnum):
    """What is imposed on a person or an address."""

    WARNING = "warning"
    """The person is told something; nothing is refused."""
    MUTE = "mute"
    """Chat lines are refused."""
    UNRATED = "unrated"
    """Seats at rated tables are refused."""
    BAN = "ban"
    """Connections are refused."""


class Sanction(Struct, frozen=True):
    """A sanction of a person or of a network: the other one is empty.

    `id` is the number of the entry that imposed it. `name` is that of a guest. `ends`: None means for good.
    `with_addresses`: the addresses from which the person is connected are banned too.
    """

    id: int
    kind: SanctionKind
    person: Person
    network: str
    name: str
    reason: str
    made: Millis
    ends: Millis | None = None
    lifted: Millis | None = None
    with_addresses: bool = False

    def in_force(self, now: Millis) -> bool:
        """Tell whether the sanction is in force."""
        return self.lifted is None and (self.ends is None or now < self.ends)


def parse_network(text: str) -> IPv4Network | IPv6Network:
    """Return the network of an address or a range, or raise `ValueError` with what is wrong.

    A single IPv6 address stands for its /64. IPv4 addresses that are written as IPv6 count as IPv4.
    """
    try:
        found = ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise ValueError(f"expected an address or a range such as 192.0.2.0/24, got {text!r}") from error
    if isinstance(found, IPv6Network) and (mapped := found.network_address.ipv4_mapped) is not None:
        if found.prefixlen < IPV4_MAPPED_BITS:
            raise ValueError(f"{found} is too wide")
        found = ip_network((mapped, found.prefixlen - IPV4_MAPPED_BITS))
    if isinstance(found, IPv6Network) and found.prefixlen > NARROWEST_IPV6:
        if found.prefixlen < found.max_prefixlen:
            raise ValueError(f"{found} is narrower than /{NARROWEST_IPV6}, which one customer has")
        found = found.supernet(new_prefix=NARROWEST_IPV6)
    widest = WIDEST_IPV4 if found.version == 4 else WIDEST_IPV6
    if found.prefixlen < widest:
        raise ValueError(f"{found} is wider than /{widest}")
    return found


def is_single_address(network: str) -> bool:
    """Tell whether a network is what one client has: an IPv4 address, or an IPv6 /64."""
    return network.endswith(f"/{NARROWEST_IPV6}" if ":" in network else "/32")
