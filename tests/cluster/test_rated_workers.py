"""Rated tables and rated quick match with two workers: each decides for its own connections."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.server.test_account_api import registered
from tests.support.server import Client
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

CLOCK = {"main": [180_000], "increment": 2_000}
RATED = {"rated": True, "undo_allowed": False, "clock": CLOCK}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Worker, Worker]]:
    with workers(tmp_path_factory.mktemp("rated")) as (_, (one, other)):
        yield one, other
        assert one.errors == other.errors == []


@pytest.fixture
def house() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def account(house: ExitStack, worker: Worker, name: str) -> Client:
    """Return a client that has come with the session of a new account."""
    client = Client(worker.port, cookie=registered(worker, name).cookie)
    house.callback(client.close)
    return client


def test_a_worker_refuses_guests_and_seats_accounts_at_a_table_of_the_other(
    pair: tuple[Worker, Worker], house: ExitStack
) -> None:
    one, other = pair
    ada, bo, guest = account(house, one, "Ada"), account(house, other, "Bo"), Client(other.port)
    house.callback(guest.close)
    room = ada.ask("open", "room", game="chess", nonce="n", table=RATED)["room"]["id"]
    assert guest.ask("join", "refused", room=room)["code"] == "account_needed"
    shown = bo.ask("join", "room", room=room)
    assert (shown["room"]["phase"], shown["room"]["table"]["rated"]) == ("playing", True)


def test_players_at_two_workers_are_paired(pair: tuple[Worker, Worker], house: ExitStack) -> None:
    cy, di = account(house, pair[0], "Cyd"), account(house, pair[1], "Dia")
    first = cy.ask("quick_match", "room", game="gomoku", clock=CLOCK, rated=True)
    second = di.ask("quick_match", "room", game="gomoku", clock=CLOCK, rated=True)
    assert second["room"]["id"] == first["room"]["id"]
    assert second["room"]["phase"] == "playing"


def test_players_who_began_to_wait_apart_are_brought_together(
    pair: tuple[Worker, Worker], house: ExitStack
) -> None:
    eve, fay = account(house, pair[0], "Evelyn"), account(house, pair[1], "Faye")
    clock = {"main": [60_000]}
    table = RATED | {"clock": clock}
    first = eve.ask("open", "room", game="chess", nonce="e", table=table)["room"]["id"]
    second = fay.ask("open", "room", game="chess", nonce="f", table=table)["room"]["id"]
    assert first != second
    left = fay.receive_until("left")
    assert (left["room"], left["reason"]) == (second, "matched")
    shown = fay.receive_until("room")["room"]
    assert (shown["id"], shown["phase"]) == (first, "playing")
