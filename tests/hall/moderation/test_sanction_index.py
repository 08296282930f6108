"""Sanctions in memory: the right ones are found, and ten thousand cost no more lookups than one."""

import random
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.hall.moderation import sanction_index
from qipai.hall.moderation.sanction_index import SanctionIndex
from qipai.hall.moderation.sanction_interface import (
    Sanction,
    SanctionKind,
    is_single_address,
    parse_network,
)
from qipai.kernel.ids import Millis, Person

NOW = Millis(1_000)


def ban(number: int, person: str = "", network: str = "", **fields: Any) -> Sanction:
    made = {"kind": SanctionKind.BAN, "ends": None, **fields}
    return Sanction(number, made["kind"], Person(person), network, "", "x", NOW, made["ends"])


def numbers(index: SanctionIndex, person: str | None, address: str) -> list[int]:
    return [each.id for each in index.of(None if person is None else Person(person), address, NOW)]


def test_person_and_address_are_found_together() -> None:
    index = SanctionIndex()
    index.load([ban(1, "p1"), ban(2, network="192.0.2.0/24"), ban(3, "p2")], NOW)
    assert numbers(index, "p1", "192.0.2.9") == [1, 2]
    assert numbers(index, "p2", "198.51.100.1") == [3]
    assert numbers(index, None, "no address") == []
    assert len(index) == 3


def test_the_one_that_ends_last_is_told() -> None:
    index = SanctionIndex()
    index.load([ban(1, "p1", ends=Millis(3_000)), ban(2, "p1"), ban(3, "p1", ends=Millis(9_000))], NOW)
    found = index.one(SanctionKind.BAN, Person("p1"), "", NOW)
    assert found is not None
    assert found.id == 2
    assert index.one(SanctionKind.MUTE, Person("p1"), "", NOW) is None


def test_what_is_lifted_or_has_ended_is_not_found() -> None:
    index = SanctionIndex()
    index.load([ban(1, "p1", ends=Millis(2_000)), ban(2, network="192.0.2.0/24")], NOW)
    assert index.of(Person("p1"), "", Millis(2_000)) == []
    index.forget_ended(Millis(2_000))
    assert len(index) == 1
    index.put(Sanction(2, SanctionKind.BAN, Person(""), "192.0.2.0/24", "", "x", NOW, None, NOW), NOW)
    assert (len(index), numbers(index, None, "192.0.2.1")) == (0, [])


IPV4 = st.integers(0, 2**32 - 1).map(lambda number: str(ip_address(number)))
NETWORKS = st.tuples(IPV4, st.integers(8, 32)).map(lambda pair: str(ip_network(pair, strict=False)))


@given(st.lists(NETWORKS, max_size=20), st.lists(IPV4, max_size=20))
def test_an_address_is_found_in_exactly_the_networks_that_contain_it(
    networks: list[str], addresses: list[str]
) -> None:
    index = SanctionIndex()
    index.load([ban(number, network=network) for number, network in enumerate(networks)], NOW)
    own = [str(ip_network(network).network_address) for network in networks]
    for address in (*addresses, *own):
        containing = [n for n, network in enumerate(networks) if ip_address(address) in ip_network(network)]
        assert numbers(index, None, address) == ([] if address == "127.0.0.1" else containing)


class Counted(dict[Any, Any]):
    """A dictionary that counts how often it is asked."""

    asked = 0

    def get(self, *key: Any) -> Any:
        Counted.asked += 1
        return super().get(*key)


@pytest.mark.parametrize("many", [1, 10_000])
def test_a_lookup_costs_the_same_for_one_and_for_ten_thousand(many: int) -> None:
    choose, index = random.Random(7), SanctionIndex()
    for number in range(many):
        index.put(ban(number, f"p{number}"), NOW)
        network = f"203.0.{number % 100}.{choose.randrange(256)}/32" if number else "203.0.113.0/24"
        index.put(ban(many + number, network=str(ip_network(network, strict=False))), NOW)
    index._persons = Counted(index._persons)
    networks: dict[int, Any] = {bits: Counted(known) for bits, known in index._networks[4].items()}
    index._networks[4] = networks
    sanction_index._parsed.cache_clear()
    Counted.asked = 0
    assert numbers(index, "stranger", "192.0.2.1") == []
    # One for the person, and one for each length of prefix.
    assert Counted.asked == 1 + len(networks) <= 3


@pytest.mark.parametrize(
    ("text", "network", "single"),
    [
        ("192.0.2.7", "192.0.2.7/32", True),
        (" 192.0.2.7/24 ", "192.0.2.0/24", False),
        ("::ffff:192.0.2.7", "192.0.2.7/32", True),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24", False),
        ("2001:db8::1", "2001:db8::/64", True),
        ("2001:db8::/64", "2001:db8::/64", True),
        ("2001:db8::/48", "2001:db8::/48", False),
    ],
)
def test_a_network_is_written_in_one_way(text: str, network: str, single: bool) -> None:
    assert str(parse_network(text)) == network
    assert is_single_address(network) is single


BAD = ("", "localhost", "0.0.0.0/0", "10.0.0.0/7", "::/8", "2001:db8::/65", "::ffff:0:0/90", "1.2.3.4/33")


@pytest.mark.parametrize("text", BAD)
def test_a_network_that_is_too_wide_or_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|wide|narrower"):
        parse_network(text)
