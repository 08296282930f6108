"""One server for the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.server.operators.desk import Desk
from tests.support.server import ServerProcess


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with ServerProcess(tmp_path_factory.mktemp("operators")) as server:
        yield Desk(server)
        assert server.errors == []
