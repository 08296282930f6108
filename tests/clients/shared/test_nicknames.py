"""Nicknames with several workers: frames wait until the name of a connection is known to be unique."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from qipai.clients import nicknames as module
from qipai.clients.legacy_worker_messages import LegacyBroadcasts
from qipai.clients.nicknames import Nicknames
from qipai.hall.cluster.bus_interface import Nickname
from qipai.hall.journal.store_interface import StoreError
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.scripted_counters import ScriptedCounters

GONE = StoreError("out of reach")


class House:
    """Connections that ask for nicknames, and the answers."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.simulation = simulation
        self.clerk = ScriptedCounters(simulation)
        self.entered: list[NativeClient] = []
        self.renamed: list[str] = []
        self.names = Nicknames(
            simulation.hall.tasks,
            self.clerk,
            lambda _: None,
            lambda peer: self.renamed.append(self.names.claims[peer].name),
            LegacyBroadcasts("", lambda _: None),
            lambda _: False,
        )

    def want(self, name: str, peer: NativeClient | None = None) -> NativeClient:
        peer = peer or self.simulation.native_client()
        self.run(self.simulation.hall.inbox.run, peer.connection, partial(self._claim, peer, name))
        return peer

    def run(self, work: Callable[..., None], *arguments: Any) -> None:
        """Call a function in the event loop."""
        self.simulation.loop.call_soon(work, *arguments)
        self.simulation.settle()

    async def _claim(self, peer: NativeClient, name: str) -> None:
        if await self.names.claim(peer.connection, "gomoku", name):
            self.entered.append(peer)

    def have(self, name: str) -> NativeClient:
        """Return a connection that has this name."""
        peer = self.want(name)
        self.clerk.answer(Nickname(name, 1))
        return peer

    def name_of(self, peer: NativeClient) -> str:
        return self.names.claims[peer.connection].name


@pytest.fixture
def house(simulation: HallSimulation) -> House:
    return House(simulation)


def test_further_frames_wait_until_a_nickname_is_assigned(house: House) -> None:
    ann = house.want("Ann")
    ann.send("ping", n=1)
    assert ann.received() == []
    assert house.clerk.requests[0] == ("gomoku", ann.connection.person, "Ann", "Ann", 1)
    assert house.entered == []
    house.clerk.answer(Nickname("Ann#2", 2))
    assert house.entered == [ann]
    assert house.name_of(ann) == "Ann#2"
    assert ann.received()[0]["n"] == 1


def test_the_next_one_is_asked_for_with_a_later_number(house: House) -> None:
    house.have("Ann")
    house.want("Ann")
    assert house.clerk.requests[0][2:] == ("Ann#2", "Ann", 2)
    house.clerk.answer(Nickname("Ann#7", 7))
    house.want("Ann")
    assert house.clerk.requests[0][2:] == ("Ann#8", "Ann", 8)


def test_a_nickname_is_released_by_disconnecting_or_asking_for_another(house: House) -> None:
    ann = house.have("Ann")
    person = str(ann.connection.person)
    house.want("Anna", ann)
    assert house.clerk.released == [("gomoku", person, "Ann")]
    house.clerk.answer(Nickname("Anna", 1))
    house.names.release(ann.connection)
    assert house.clerk.released[1:] == [("gomoku", person, "Anna")]
    assert house.names.local_names() == {}


def test_disconnecting_while_waiting_for_a_nickname_leaves_no_state(house: House) -> None:
    ann = house.want("Ann")
    house.names.release(ann.connection)
    house.clerk.answer(Nickname("Ann", 1))
    assert house.clerk.released == [("gomoku", str(ann.connection.person), "Ann")]
    assert (house.entered, house.names.claims, house.names.local_names()) == ([], {}, {})
    assert house.name_of(house.have("Ann")) == "Ann"


def test_while_counters_are_unreachable_free_names_are_assigned_and_confirmed_later(house: House) -> None:
    house.names.set_remote_name("other", "gomoku", "Ann", taken=True)
    ann, bob = house.want("Ann"), house.want("Bob")
    house.clerk.answer(GONE)
    house.clerk.answer(GONE)
    assert (house.name_of(ann), house.name_of(bob)) == ("Ann#2", "Bob")
    house.run(house.names.confirm_all)
    house.clerk.answer(Nickname("Ann#2", 2))
    house.clerk.answer(Nickname("Bob#2", 2))
    assert house.renamed == ["Bob#2"]
    assert (house.name_of(ann), house.name_of(bob)) == ("Ann#2", "Bob#2")
    assert house.names.local_names() == {"gomoku": ["Ann#2", "Bob#2"]}


def test_a_name_assigned_while_counters_were_unreachable_is_not_assigned_twice(house: House) -> None:
    ann, eve = house.want("Ann"), house.want("Ann")
    house.clerk.answer(GONE)
    assert house.name_of(ann) == "Ann"
    house.clerk.answer(Nickname("Ann", 1))
    assert house.clerk.released == [("gomoku", str(eve.connection.person), "Ann")]
    house.clerk.answer(Nickname("Ann#2", 2))
    assert (house.name_of(ann), house.name_of(eve)) == ("Ann", "Ann#2")


def test_a_renamed_connection_does_not_get_a_name_in_use_on_this_worker(house: House) -> None:
    ann, eve = house.have("Ann"), house.have("Ann#2")
    house.run(house.names.confirm_all)
    house.clerk.answer(Nickname("Ann#2", 2))
    house.clerk.answer(Nickname("Ann#2", 1))
    assert house.clerk.requests[0][2:] == ("Ann", "Ann", 2)
    house.clerk.answer(Nickname("Ann#3", 3))
    assert (house.name_of(ann), house.name_of(eve)) == ("Ann#3", "Ann#2")


def test_a_connection_closed_before_it_is_renamed_keeps_no_name(house: House) -> None:
    ann = house.have("Ann")
    house.run(house.names.confirm_all)
    house.names.release(ann.connection)
    house.clerk.answer(Nickname("Ann#2", 2))
    assert ("gomoku", str(ann.connection.person), "Ann#2") in house.clerk.released
    assert house.names.claims == {}


def test_a_client_recovered_from_another_worker_has_its_name_at_once(house: House) -> None:
    ann = house.simulation.native_client()
    house.run(house.names.restore, ann.connection, "gomoku", "Ann", "Ann#3")
    assert house.name_of(ann) == "Ann#3"
    assert house.clerk.requests[0][2:4] == ("Ann#3", "Ann")
    house.clerk.answer(Nickname("Ann#3", 1))
    assert house.renamed == []


def test_very_many_names_are_asked_for_some_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONFIRM_BATCH", 2)
    for number in range(5):
        house.have(f"P{number}")
    house.simulation.loop.call_soon(house.names.confirm_all)
    for asked in (2, 4, 5):
        house.simulation.settle()
        assert len(house.clerk.requests) == asked
        house.simulation.wait(module.CONFIRM_INTERVAL)
