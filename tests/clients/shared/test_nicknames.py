"""Nicknames where other workers give some out as well: nobody goes on before it is known that his is his."""

from functools import partial

import pytest

from qipai.clients import nicknames as module
from qipai.clients.legacy_worker_messages import LegacyBroadcasts
from qipai.clients.nicknames import Nicknames
from qipai.hall.cluster.bus_interface import Nickname
from qipai.hall.journal.store_interface import StoreError
from tests.support.clerk import Clerk
from tests.support.stage import Peer, Stage

GONE = StoreError("out of reach")


class House:
    """People who want names, and what became of that."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.clerk = Clerk(stage)
        self.entered: list[Peer] = []
        self.renamed: list[str] = []
        self.names = Nicknames(
            stage.hall.inbox,
            self.clerk,
            lambda _: None,
            lambda peer: self.renamed.append(self.names.claims[peer].name),
            LegacyBroadcasts("", lambda _: None),
        )

    def want(self, name: str, peer: Peer | None = None) -> Peer:
        peer = peer or self.stage.peer()
        self.names.claim(peer.connection, "gomoku", name, partial(self.entered.append, peer))
        return peer

    def have(self, name: str) -> Peer:
        """Return somebody who has got this name."""
        peer = self.want(name)
        self.clerk.answer(Nickname(name, 1))
        return peer

    def name_of(self, peer: Peer) -> str:
        return self.names.claims[peer.connection].name


@pytest.fixture
def house(stage: Stage) -> House:
    return House(stage)


def test_who_asks_for_a_name_is_heard_no_further_before_it_is_his(house: House) -> None:
    ann = house.want("Ann")
    ann.send("ping", n=1)
    assert ann.heard() == []
    assert house.clerk.asked[0] == ("gomoku", ann.connection.person, "Ann", "Ann", 1)
    assert house.entered == []
    house.clerk.answer(Nickname("Ann#2", 2))
    assert house.entered == [ann]
    assert house.name_of(ann) == "Ann#2"
    assert ann.heard()[0]["n"] == 1


def test_the_next_one_is_asked_for_with_a_later_number(house: House) -> None:
    house.have("Ann")
    house.want("Ann")
    assert house.clerk.asked[0][2:] == ("Ann#2", "Ann", 2)
    house.clerk.answer(Nickname("Ann#7", 7))
    house.want("Ann")
    assert house.clerk.asked[0][2:] == ("Ann#8", "Ann", 8)


def test_who_goes_or_wants_another_one_gives_his_back(house: House) -> None:
    ann = house.have("Ann")
    person = str(ann.connection.person)
    house.want("Anna", ann)
    assert house.clerk.returned == [("gomoku", person, "Ann")]
    house.clerk.answer(Nickname("Anna", 1))
    house.names.release(ann.connection)
    assert house.clerk.returned[1:] == [("gomoku", person, "Anna")]
    assert house.names.local_names() == {}


def test_who_goes_while_he_waits_leaves_nothing_behind(house: House) -> None:
    ann = house.want("Ann")
    house.names.release(ann.connection)
    house.clerk.answer(Nickname("Ann", 1))
    assert house.clerk.returned == [("gomoku", str(ann.connection.person), "Ann")]
    assert (house.entered, house.names.claims, house.names.local_names()) == ([], {}, {})
    assert house.name_of(house.have("Ann")) == "Ann"


def test_out_of_reach_names_are_given_that_nobody_is_known_to_have_and_asked_for_later(house: House) -> None:
    house.names.set_remote_name("other", "gomoku", "Ann", taken=True)
    ann, bob = house.want("Ann"), house.want("Bob")
    house.clerk.answer(GONE)
    house.clerk.answer(GONE)
    assert (house.name_of(ann), house.name_of(bob)) == ("Ann#2", "Bob")
    house.names.confirm_all()
    house.clerk.answer(Nickname("Ann#2", 2))
    house.clerk.answer(Nickname("Bob#2", 2))
    assert house.renamed == ["Bob#2"]
    assert (house.name_of(ann), house.name_of(bob)) == ("Ann#2", "Bob#2")
    assert house.names.local_names() == {"gomoku": ["Ann#2", "Bob#2"]}


def test_a_name_that_somebody_here_got_while_out_of_reach_is_not_given_to_another(house: House) -> None:
    ann, eve = house.want("Ann"), house.want("Ann")
    house.clerk.answer(GONE)
    assert house.name_of(ann) == "Ann"
    house.clerk.answer(Nickname("Ann", 1))
    assert house.clerk.returned == [("gomoku", str(eve.connection.person), "Ann")]
    house.clerk.answer(Nickname("Ann#2", 2))
    assert (house.name_of(ann), house.name_of(eve)) == ("Ann", "Ann#2")


def test_who_is_renamed_does_not_get_a_name_that_somebody_here_has(house: House) -> None:
    ann, eve = house.have("Ann"), house.have("Ann#2")
    house.names.confirm_all()
    house.clerk.answer(Nickname("Ann#2", 2))
    house.clerk.answer(Nickname("Ann#2", 1))
    assert house.clerk.asked[0][2:] == ("Ann", "Ann", 2)
    house.clerk.answer(Nickname("Ann#3", 3))
    assert (house.name_of(ann), house.name_of(eve)) == ("Ann#3", "Ann#2")


def test_who_is_gone_before_he_is_renamed_keeps_no_name(house: House) -> None:
    ann = house.have("Ann")
    house.names.confirm_all()
    house.names.release(ann.connection)
    house.clerk.answer(Nickname("Ann#2", 2))
    assert ("gomoku", str(ann.connection.person), "Ann#2") in house.clerk.returned
    assert house.names.claims == {}


def test_who_comes_back_from_another_worker_has_his_name_at_once(house: House) -> None:
    ann = house.stage.peer()
    house.names.restore(ann.connection, "gomoku", "Ann", "Ann#3")
    assert house.name_of(ann) == "Ann#3"
    assert house.clerk.asked[0][2:4] == ("Ann#3", "Ann")
    house.clerk.answer(Nickname("Ann#3", 1))
    assert house.renamed == []


def test_very_many_names_are_asked_for_some_at_a_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONFIRM_BATCH", 2)
    for number in range(5):
        house.have(f"P{number}")
    house.stage.loop.call_soon(house.names.confirm_all)
    for asked in (2, 4, 5):
        house.stage.settle()
        assert len(house.clerk.asked) == asked
        house.stage.wait(module.CONFIRM_INTERVAL)
