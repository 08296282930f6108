"""A server with an operator and a moderator."""

from collections.abc import Iterator

import pytest

from tests.server.operators.desk import Desk
from tests.support import uci
from tests.support.server import ServerProcess


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("desk")
    server = ServerProcess(folder / "data")
    server.environment = {"QIPAI_ENGINE": uci.program(folder, "good")}
    with server:
        yield Desk(server)
        assert server.errors == []


@pytest.fixture(scope="module")
def address(desk: Desk) -> str:
    return f"http://127.0.0.1:{desk.server.port}"
