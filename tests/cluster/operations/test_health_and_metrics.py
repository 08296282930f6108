"""Health, readiness and metrics of workers: alive is not ready."""

import json
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError

import pytest
import redis as client

from tests.support.redis import RedisServer
from tests.support.server import ServerProcess
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

OK = (200, {"status": "ok"})
READY = (200, {"status": "ready"})
AWAY = (503, {"status": "store out of reach"})


def ask(worker: ServerProcess, path: str) -> tuple[int, object]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{worker.port}{path}", timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def number(worker: ServerProcess, name: str) -> float:
    """Return a metric."""
    with urllib.request.urlopen(f"http://127.0.0.1:{worker.port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


def soon(true: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until
        time.sleep(0.1)


def test_every_worker_can_be_scraped_at_its_private_port(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:
        worker = Worker(tmp_path / "worker", redis.address)
        private = ServerProcess(tmp_path / "nobody")
        worker.environment["QIPAI_WORKER_ADDRESS"] = f"127.0.0.1:{private.port}-{private.port + 9}"
        with worker:
            soon(lambda: ask(worker, "/ready") == READY)
            assert number(private, "qipai_workers") == 1


def refuse_writes(redis: RedisServer, *, refuse: bool) -> None:
    with client.Redis.from_url(redis.address) as admin:
        admin.config_set("min-replicas-to-write", 1 if refuse else 0)


def test_workers_live_while_redis_is_away_and_are_ready_when_it_takes_records(tmp_path: Path) -> None:
    with workers(tmp_path, 2, keep=True) as (redis, (one, two)):
        soon(lambda: number(one, "qipai_workers") == 2)
        assert ask(one, "/ready") == READY
        assert number(one, "qipai_store_up") == 1
        for harm, mend in (
            (redis.kill, redis.start),
            (lambda: refuse_writes(redis, refuse=True), lambda: refuse_writes(redis, refuse=False)),
        ):
            harm()
            soon(lambda: ask(one, "/ready") == AWAY)
            assert number(one, "qipai_store_up") == 0
            assert ask(one, "/health") == OK
            mend()
            soon(lambda: ask(one, "/ready") == READY)
        two.kill()
        soon(lambda: number(one, "qipai_workers") == 1)
