"""The port for other workers: what they forward has no limits per address, all else has."""

import pytest

from qipai.guard.connection_limits import Reason
from qipai.guard.guard_settings import GuardSettings
from qipai.guard.worker_ports import WorkerPorts
from tests.attacks.raw_http import upgrade_request
from tests.guard.served_guard import GET, PROXY, STRANGER, WORKER_TOKEN, Harness, run, statuses

FORWARDED = f"X-Worker-Token: {WORKER_TOKEN}\r\n"


@pytest.mark.parametrize("peer", [STRANGER, PROXY])
def test_other_workers_forward_for_many_clients_and_have_no_limit_per_address(peer: str) -> None:
    async def scenario(harness: Harness) -> None:
        assert [await harness.get(peer, FORWARDED) for _ in range(20)] == [[peer, "http"]] * 20
        for _ in range(20):
            forwarded = upgrade_request(X_Worker_Token=WORKER_TOKEN)
            assert (await harness.send(peer, forwarded))[0] == 101

    harness = run(scenario, GuardSettings(handshakes_per_address=1, requests_per_address=1), worker=True)
    assert sum(harness.limits.refused.values()) == 0


@pytest.mark.parametrize(
    ("worker", "headers"),
    [
        (True, ""),
        (True, "X-Worker-Token: guessed\r\n"),
        (True, "X-Worker-Token:\r\n"),
        (False, FORWARDED),
    ],
    ids=["no token", "wrong token", "empty token", "public port"],
)
def test_all_others_have_the_same_limits_at_the_port_for_workers(worker: bool, headers: str) -> None:
    async def scenario(harness: Harness) -> None:
        assert [await harness.get(STRANGER, headers) for _ in range(20)][-1] == 429

    harness = run(scenario, GuardSettings(handshakes_per_address=1), worker=worker)
    assert harness.limits.refused[Reason.ADDRESS_HANDSHAKES] > 0


def test_without_a_token_nothing_is_forwarded() -> None:
    workers = WorkerPorts({1})
    assert not workers.is_forwarded("a", ("b", 1), [(b"x-worker-token", b"")])
    assert not workers.is_worker("a", ("b", 1))


def test_requests_without_the_token_have_a_rate_also_from_the_host_of_a_worker() -> None:
    async def scenario(harness: Harness) -> None:
        assert await harness.get(STRANGER, FORWARDED) == [STRANGER, "http"]
        assert 429 in [await harness.get(STRANGER) for _ in range(100)]
        assert await harness.get(STRANGER, FORWARDED) == [STRANGER, "http"]
        upgrades = [(await harness.send(STRANGER, upgrade_request()))[0] for _ in range(20)]
        assert upgrades[-1] == 429

    harness = run(scenario, GuardSettings(requests_per_address=1, handshakes_per_address=1), worker=True)
    assert harness.limits.refused[Reason.ADDRESS_REQUESTS] > 0
    assert harness.limits.refused[Reason.ADDRESS_HANDSHAKES] > 0


def test_a_client_cannot_choose_its_address_at_the_port_for_workers() -> None:
    async def scenario(harness: Harness) -> None:
        chosen = "X-Forwarded-For: 192.0.2.1\r\n"
        assert await harness.get(STRANGER, chosen) == [STRANGER, "http"]
        assert await harness.get(PROXY, FORWARDED + chosen) == [PROXY, "http"]

    run(scenario, worker=True)


def test_requests_of_other_workers_have_no_rate() -> None:
    async def scenario(harness: Harness) -> None:
        assert await statuses(harness, STRANGER, *[GET % FORWARDED.encode()] * 100) == [200] * 100

    run(scenario, GuardSettings(requests_per_address=1), worker=True)
