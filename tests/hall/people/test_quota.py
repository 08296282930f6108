"""A few of something for each person: counted here, or asked for where other workers count as well."""

import pytest

from qipai.hall.cluster.cluster_mode import LocalCounters
from qipai.hall.connections import inbox
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.person_quota import CROWD_LINES, CrowdQuota, Quota
from qipai.kernel.ids import Millis
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.scripted_counters import ScriptedCounters


class Speaker:
    """Somebody who says lines, and what became of each."""

    def __init__(
        self, simulation: HallSimulation, ledger: ScriptedCounters | None, name: str = "Ann"
    ) -> None:
        self.simulation = simulation
        self.peer: NativeClient = simulation.native_client(name)
        self.quota = Quota(ledger or LocalCounters(), "lines", 2, 10_000)
        self.said: list[str] = []

    def say(self, text: str, at: int = 0) -> None:
        connection = self.peer.connection

        async def work() -> None:
            granted = await self.quota.spend(connection, Millis(at))
            self.said.append(f"{text} {'said' if granted else 'refused'}")

        self.simulation.loop.call_soon(self.simulation.hall.inbox.run, connection, work)
        self.simulation.settle()


@pytest.fixture
def ledger(simulation: HallSimulation) -> ScriptedCounters:
    return ScriptedCounters(simulation)


@pytest.fixture
def ann(simulation: HallSimulation, ledger: ScriptedCounters) -> Speaker:
    return Speaker(simulation, ledger)


def test_without_other_workers_it_is_decided_at_once(simulation: HallSimulation) -> None:
    ann = Speaker(simulation, None)
    for number, at in enumerate((0, 1, 9_999, 10_000)):
        ann.say(str(number), at)
    assert ann.said == ["0 said", "1 said", "2 refused", "3 said"]


def test_the_ledger_is_asked_for_the_person_and_its_answer_counts(
    ann: Speaker, ledger: ScriptedCounters
) -> None:
    ann.say("a")
    assert ann.said == []
    assert ledger.requests[0] == (f"lines:{ann.peer.connection.person}", 2, 10_000)
    ledger.answer(True)
    ann.say("b")
    ledger.answer(False)
    assert ann.said == ["a said", "b refused"]


def test_what_was_refused_is_asked_for_again_and_what_was_all_spent_here_is_not(
    ann: Speaker, ledger: ScriptedCounters
) -> None:
    for number in range(5):
        ann.say(str(number))
        ledger.answer(number in {3, 4})
    ann.say("5")
    assert not ledger.requests
    assert ann.said[-3:] == ["3 said", "4 said", "5 refused"]
    ann.say("6", 10_000)
    assert ledger.requests


def test_nothing_of_the_peer_is_heard_before_the_answer_and_then_all_in_its_order(
    ann: Speaker, ledger: ScriptedCounters
) -> None:
    for text in ("a", "b", "c"):
        ann.say(text)
    for number in range(3):
        ann.peer.send("ping", n=number)
    assert ann.peer.received() == []
    assert len(ledger.requests) == 1
    for _ in range(2):
        assert ann.peer.received() == []
        ledger.answer(True)
    assert ann.said == ["a said", "b said", "c refused"]
    assert [pong["n"] for pong in ann.peer.received()] == [0, 1, 2]


def test_others_are_heard_meanwhile(
    simulation: HallSimulation, ann: Speaker, ledger: ScriptedCounters
) -> None:
    bob = simulation.native_client("Bob")
    ann.say("a")
    assert bob.ask("ping", n=1)[0]["n"] == 1
    ledger.answer(True)


def test_while_the_ledger_is_out_of_reach_each_worker_counts_for_itself(
    ann: Speaker, ledger: ScriptedCounters
) -> None:
    ann.say("granted")
    ledger.answer(True)
    for text in ("lost", "more"):
        ann.say(text)
        if ledger.requests:
            ledger.answer(StoreError("out of reach"))
    assert ann.said == ["granted said", "lost said", "more refused"]


def test_a_connection_that_closes_while_it_waits_is_removed_afterwards(
    simulation: HallSimulation, ann: Speaker, ledger: ScriptedCounters
) -> None:
    ann.say("bye")
    simulation.loop.call_soon(simulation.hall.arrived, ann.peer.connection, None)
    simulation.settle()
    assert ann.peer.connection in simulation.hall.connections
    ledger.answer(True)
    assert ann.said == ["bye said"]
    assert ann.peer.connection not in simulation.hall.connections


def test_of_a_flood_only_so_much_is_kept_and_the_connection_is_closed(
    ann: Speaker, ledger: ScriptedCounters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "DEFERRED_BYTES", 10 * (inbox.FRAME_OVERHEAD + 100))
    ann.simulation.wait(1)
    ann.say("a")
    for _ in range(10):
        ann.peer.send_frame(b'{"type":"ping","n":1}'.ljust(100))
    ann.peer.received()
    assert ann.peer.transport.closed is None
    ann.peer.send_frame(b'{"type":"ping","n":2}')
    ann.peer.received()
    assert ann.peer.transport.closed == 4429
    ledger.answer(True)


# Crowds


def test_a_flood_of_a_crowd_asks_no_more_often_than_the_crowd_may_speak(
    simulation: HallSimulation, ledger: ScriptedCounters
) -> None:
    crowd = [Speaker(simulation, ledger, f"Eve {number}") for number in range(CROWD_LINES + 5)]
    quota = CrowdQuota(Quota(ledger, "lines", 2, 10_000), ledger)
    said: list[bool] = []
    for speaker in crowd:
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, speaker, said))
    simulation.settle()
    assert said == [False] * 5, "refused without a question"
    assert len(ledger.requests) == CROWD_LINES
    for _ in range(3 * CROWD_LINES):
        ledger.answer(True)
    assert said.count(True) == CROWD_LINES


def test_a_line_that_its_author_may_not_say_does_not_count_for_the_crowd(simulation: HallSimulation) -> None:
    counters = LocalCounters()
    quota = CrowdQuota(Quota(counters, "lines", 2, 10_000), counters)
    ann, *others = (Speaker(simulation, None, f"Eve {number}") for number in range(CROWD_LINES))
    said: list[bool] = []
    for speaker in (*[ann] * 20, *others):
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, speaker, said))
    simulation.settle()
    assert said == [True] * 2 + [False] * 18 + [True] * (CROWD_LINES - 2) + [False]


def test_without_an_answer_each_worker_counts_the_crowd_alone(
    simulation: HallSimulation, ledger: ScriptedCounters
) -> None:
    speakers = [Speaker(simulation, ledger, f"Eve {number}") for number in range(CROWD_LINES + 1)]
    quota = CrowdQuota(Quota(LocalCounters(), "lines", 50, 10_000), ledger)
    said: list[bool] = []
    for speaker in speakers:
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, speaker, said))
        simulation.settle()
        if ledger.requests:
            ledger.answer(StoreError("away"))
    assert said == [True] * CROWD_LINES + [False]


@pytest.mark.parametrize("address", ["192.0.2.7", ""])
def test_one_address_or_person_has_at_most_half_of_the_lines_of_a_crowd(
    simulation: HallSimulation, address: str
) -> None:
    counters = LocalCounters()
    quota = CrowdQuota(Quota(counters, "lines", 50, 10_000), counters)
    loud = [Speaker(simulation, None, f"Eve {number}") for number in range(2 if address else 1)]
    for speaker in loud:
        speaker.peer.connection.address = address
    others = [Speaker(simulation, None, f"Bob {number}") for number in range(CROWD_LINES)]
    said: list[bool] = []
    for speaker in (*loud * 10, *others):
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, speaker, said))
    simulation.settle()
    half = CROWD_LINES // 2
    assert said[: -len(others)] == [True] * half + [False] * (10 * len(loud) - half)
    assert said[-len(others) :] == [True] * half + [False] * half


def test_the_half_of_an_address_is_counted_on_all_workers(
    simulation: HallSimulation, ledger: ScriptedCounters
) -> None:
    eve, bob = (Speaker(simulation, ledger, name) for name in ("Eve", "Bob"))
    eve.peer.connection.address = "192.0.2.7"
    quota = CrowdQuota(Quota(LocalCounters(), "lines", 50, 10_000), ledger)
    said: list[bool] = []
    for speaker in [eve] * (CROWD_LINES // 2):
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, speaker, said))
    simulation.settle()
    assert ledger.requests[0] == ("crowd_shares:table:192.0.2.7", CROWD_LINES // 2, 5_000)
    while ledger.requests:
        ledger.answer(False)
    assert said == [False] * (CROWD_LINES // 2), "spent on another worker"
    said.clear()
    for _ in range(CROWD_LINES // 2):
        simulation.loop.call_soon(simulation.hall.tasks.run, spend(quota, bob, said))
    simulation.settle()
    while ledger.requests:
        ledger.answer(True)
    assert said == [True] * (CROWD_LINES // 2)


async def spend(quota: CrowdQuota, speaker: Speaker, said: list[bool]) -> None:
    said.append(await quota.spend(speaker.peer.connection, "table", Millis(0)))
