"""What was refused because of a limit per address is counted in the metrics, by the limit."""

import asyncio
from collections.abc import Iterator

import pytest

from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.history.finished_games import MOST_OF_ADDRESS
from qipai.hall.people.address_limits import REPORTS, Limits
from qipai.hall.people.address_refusals import AddressLimit
from qipai.hall.people.person_quota import CROWD_SHARE
from qipai.kernel.ids import RoomId
from qipai.server.metrics import registry
from tests.support.hall_simulation import HallSimulation, NativeClient

HERE, THERE = "192.0.2.7", "2001:db8::/64"


@pytest.fixture
def simulation() -> Iterator[HallSimulation]:
    with HallSimulation(limits=Limits(guests=6, rooms=3)) as simulation:
        yield simulation


def counted(simulation: HallSimulation) -> dict[str, float]:
    """Return the metric, without the limits that refused nothing."""
    metrics = registry(simulation.hall, ConnectionLimits())
    samples = {
        limit: metrics.get_sample_value("qipai_address_refusals_total", {"limit": limit.value})
        for limit in AddressLimit
    }
    assert None not in samples.values(), "every limit is in the metrics from the start"
    return {limit.value: value for limit, value in samples.items() if value}


def test_guests(simulation: HallSimulation) -> None:
    for _ in range(6):
        simulation.native_client(address=HERE)
    assert counted(simulation) == {}
    for _ in range(2):
        assert NativeClient(simulation, HERE).ask("hello")[0]["code"] == "rate_limited"
    assert counted(simulation) == {"guests": 2}


def test_rooms(simulation: HallSimulation) -> None:
    ada = simulation.native_client(address=HERE)
    answers = [ada.ask("open", game="gomoku", nonce=f"n{number}")[0]["type"] for number in range(5)]
    assert answers == ["room"] * 3 + ["refused"] * 2
    assert counted(simulation) == {"rooms": 2}


def test_reports(simulation: HallSimulation) -> None:
    host = simulation.native_client(address=THERE)
    room = host.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    for person in range(6):
        client = simulation.native_client(address=HERE)
        client.ask("watch", room=room)
        for number in range(4):
            client.ask("report", room=room, text="spam", nonce=f"{person}.{number}")
    assert counted(simulation) == {"reports": 24 - REPORTS}


def test_reports_above_the_limit_of_a_person_are_not_those_of_an_address(simulation: HallSimulation) -> None:
    ada = simulation.native_client(address=HERE)
    room = ada.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    answers = [ada.ask("report", room=room, text="spam", nonce=f"{n}")[-1]["type"] for n in range(8)]
    assert "refused" in answers
    assert counted(simulation) == {}


def test_replays(simulation: HallSimulation) -> None:
    games = simulation.hall.finished_games

    async def ask() -> None:
        requests = [games.replay(RoomId(f"r{n}"), 1, "", address=HERE) for n in range(MOST_OF_ADDRESS + 3)]
        await asyncio.gather(*requests, return_exceptions=True)

    asyncio.run(ask())
    assert counted(simulation) == {"replays": 3}


def test_chat_of_a_crowd(simulation: HallSimulation) -> None:
    host = simulation.native_client(address=THERE)
    room = host.ask("open", game="gomoku", nonce="n")[0]["room"]["id"]
    crowd = [simulation.native_client(address=HERE) for _ in range(CROWD_SHARE + 1)]
    for spectator in crowd:
        spectator.ask("watch", room=room)
    for spectator in crowd:
        spectator.ask("say", room=room, text="hello")
    assert counted(simulation) == {"chat": 1}
