"""The sanctions in force, in the memory of a worker: found by person, and by the network of an address.

A lookup costs the same for one sanction and for ten thousand: one for the person, and one for each length of
prefix that any network has.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from ipaddress import ip_network
from typing import Final

from qipai.hall.people.address_limits import is_counted
from qipai.kernel.ids import Millis, Person

from .sanction_interface import Sanction, SanctionKind

_BITS: Final = {4: 32, 6: 128}


class SanctionIndex:
    """Sanctions by person and by network."""

    def __init__(self) -> None:
        self._known: dict[int, Sanction] = {}
        self._persons: dict[Person, dict[int, Sanction]] = {}
        self._networks: dict[int, dict[int, dict[int, dict[int, Sanction]]]] = {4: {}, 6: {}}
        """By version, bits of the prefix, prefix and id."""

    def __len__(self) -> int:
        return len(self._known)

    def counts(self, now: Millis) -> Counter[SanctionKind]:
        """Return how many sanctions of each kind are in force."""
        return Counter(each.kind for each in self._known.values() if each.in_force(now))

    def load(self, sanctions: Iterable[Sanction], now: Millis) -> None:
        """Replace everything."""
        self._known.clear()
        self._persons.clear()
        self._networks = {4: {}, 6: {}}
        for sanction in sanctions:
            self.put(sanction, now)

    def put(self, sanction: Sanction, now: Millis) -> None:
        """Add a sanction, or replace what is known of it."""
        self._remove(sanction.id)
        if not sanction.in_force(now):
            return
        self._known[sanction.id] = sanction
        if sanction.person:
            self._persons.setdefault(sanction.person, {})[sanction.id] = sanction
        if sanction.network:
            version, bits, prefix = _prefix(sanction.network)
            prefixes = self._networks[version].setdefault(bits, {})
            prefixes.setdefault(prefix, {})[sanction.id] = sanction

    def forget_ended(self, now: Millis) -> None:
        """Remove the sanctions that have ended."""
        for sanction in [each for each in self._known.values() if not each.in_force(now)]:
            self._remove(sanction.id)

    def of(self, person: Person | None, address: str, now: Millis) -> Sequence[Sanction]:
        """Return the sanctions in force for a person and an address, the earliest first."""
        if not self._known:
            return ()
        found = [*self._of_person(person), *self._of_address(address)]
        return sorted((each for each in found if each.in_force(now)), key=lambda each: each.id)

    def one(self, kind: SanctionKind, person: Person | None, address: str, now: Millis) -> Sanction | None:
        """Return the sanction of this kind that ends last."""
        if not self._known:
            return None
        found = [each for each in self.of(person, address, now) if each.kind is kind]
        return max(found, key=lambda each: (each.ends is None, each.ends or 0), default=None)

    def covers(self, network: str, address: str) -> bool:
        """Tell whether an address is in a network."""
        parsed = _parsed(address)
        if not network or parsed is None:
            return False
        version, bits, prefix = _prefix(network)
        return parsed[0] == version and parsed[1] >> (_BITS[version] - bits) == prefix

    def _of_person(self, person: Person | None) -> Iterable[Sanction]:
        return () if person is None else self._persons.get(person, {}).values()

    def _of_address(self, address: str) -> Iterator[Sanction]:
        # A proxy that does not name its clients stands for all of them.
        if not is_counted(address) or (parsed := _parsed(address)) is None:
            return
        version, number = parsed
        for bits, prefixes in self._networks[version].items():
            yield from prefixes.get(number >> (_BITS[version] - bits), {}).values()

    def _remove(self, number: int) -> None:
        sanction = self._known.pop(number, None)
        if sanction is None:
            return
        if sanction.person:
            of_person = self._persons[sanction.person]
            del of_person[number]
            if not of_person:
                del self._persons[sanction.person]
        if sanction.network:
            version, bits, prefix = _prefix(sanction.network)
            prefixes = self._networks[version][bits]
            del prefixes[prefix][number]
            if not prefixes[prefix]:
                del prefixes[prefix]
            if not prefixes:
                del self._networks[version][bits]


def _prefix(network: str) -> tuple[int, int, int]:
    """Return version, bits and prefix of a network."""
    parsed = ip_network(network)
    shift = parsed.max_prefixlen - parsed.prefixlen
    return parsed.version, parsed.prefixlen, int(parsed.network_address) >> shift


@lru_cache(maxsize=1024)  # A connection asks for its own address at hello, and for each chat line.
def _parsed(address: str) -> tuple[int, int] | None:
    """Return version and number of an address as limits count it; None for a text that is none."""
    try:
        parsed = ip_network(address, strict=False)
    except ValueError:
        return None
    return parsed.version, int(parsed.network_address)
