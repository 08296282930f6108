"""Sanctions on two workers with one database: what is done on one is in force on the other."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from tests.cluster.test_accounts_of_workers import on
from tests.server.operators.desk import Desk
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

BANNED = 4403


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, ServerProcess]]:
    folder = tmp_path_factory.mktemp("workers")
    with RedisServer(folder) as redis, ExitStack() as stack:
        made = [stack.enter_context(Worker(folder / "data", redis.address)) for _ in range(2)]
        yield Desk(made[0]), made[1]


def test_a_ban_closes_connections_on_every_worker(workers: tuple[Desk, ServerProcess]) -> None:
    desk, second = workers
    person = desk.account("Banned Ben")
    with closing(on(second, person).connect()) as there:
        assert there.welcome["account"] is True
        desk.operator.done("/sanctions", kind="ban", account="Banned Ben", reason="insults")
        assert there.receive_until("sanctions")["sanctions"][0]["kind"] == "ban"
        assert there.close_code() == BANNED


def test_a_mute_holds_on_every_worker(workers: tuple[Desk, ServerProcess]) -> None:
    desk, second = workers
    person = desk.account("Muted Mia")
    with closing(on(second, person).connect()) as there:
        room = there.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
        desk.operator.done("/sanctions", kind="mute", account="Muted Mia", reason="insults")
        assert there.receive_until("sanctions")["sanctions"][0]["kind"] == "mute"
        assert there.ask("say", "refused", room=room, text="Hello", nonce="s")["code"] == "muted"


def test_a_table_of_another_worker_is_closed(workers: tuple[Desk, ServerProcess]) -> None:
    desk, second = workers
    with closing(Client(second.port)) as there:
        room = there.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"]
        desk.operator.done(f"/tables/{room}/close", reason="obscene title")
        assert there.receive_until("announcement")["text"] == "obscene title"
        assert there.receive_event("closed")


def test_an_announcement_reaches_the_pages_of_every_worker(workers: tuple[Desk, ServerProcess]) -> None:
    desk, second = workers
    with closing(Client(second.port)) as there:
        desk.operator.done("/announcement", text="Restart at noon")
        assert there.receive_until("announcement")["text"] == "Restart at noon"
