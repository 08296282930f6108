"""A ban holds for programs too: an API token is no way around it."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from qipai.hall.connections.connection import BANNED
from tests.server.operators.desk import LATER, Desk
from tests.server.test_account_api import GOOD, Socket
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with ServerProcess(tmp_path_factory.mktemp("banned-bots")) as server:
        yield Desk(server)
        assert server.errors == []


def test_a_banned_bot_account_is_disconnected_and_not_admitted(desk: Desk) -> None:
    owner = desk.account("Robo Banned")
    assert owner.post("become-bot", password=GOOD).status == 200
    secret = owner.post("api-token-create", name="Bot", password=GOOD).body["secret"]
    with closing(Socket(desk.server.port, "", {"api_token": secret})) as robo:
        assert robo.welcome["bot"] is True
        desk.operator.done("/sanctions", kind="ban", account="Robo Banned", reason="spam", ends=LATER)
        assert robo.close_code() == BANNED
    with closing(Client(desk.server.port, greet=False)) as late:
        late.send("hello", api_token=secret)
        assert late.receive_until("sanctions", "welcome")["type"] == "sanctions"
