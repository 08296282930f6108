"""The problem bundle and the comparison with an engine, as operators get them over HTTP."""

import asyncio
import http.client
import json
from collections.abc import Iterator
from contextlib import closing

import pytest

from qipai.hall.journal.store_interface import StoreError
from qipai.server.operators.bundle_routes import BundleMaker
from tests.server.docs.test_api_docs import matches
from tests.server.operators.desk import Desk, wait_for
from tests.support import uci
from tests.support.comparison.chess_games import ROOM, UNRATED, archived, store
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

MOVES = ("e2e4", "e7e5", "g1f3")
ENGINE = f"/games/{ROOM}/1/engine"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("operator-tools")
    store(folder / "data", archived(MOVES))
    store(folder / "data", archived(MOVES, UNRATED, room="unrated1"))
    server = ServerProcess(folder / "data")
    server.environment = {"QIPAI_ENGINE": uci.program(folder, "good"), "QIPAI_SECRET": "s3cret" * 8}
    with server:
        yield Desk(server)
        assert server.errors == []


def test_figures_are_computed_first_and_then_answered(desk: Desk) -> None:
    first = desk.operator.get(ENGINE)
    assert (first.status, first.body) == (202, {"status": "computing"})
    assert int(first.headers["retry-after"]) > 0
    wait_for(lambda: desk.operator.get(ENGINE).status == 200)
    found = desk.operator.get(ENGINE)
    matches("Comparison", found)
    assert found.body["engine"] == "fake"
    assert [(side["seat"], side["moves"]) for side in found.body["sides"]] == [(0, 2), (1, 1)]
    assert "Ada" not in json.dumps(found.body), "figures name seats, not persons"


def test_an_unrated_game_is_compared_only_if_the_operator_asks_for_that(desk: Desk) -> None:
    path = "/games/unrated1/1/engine"
    refused = desk.operator.get(path)
    assert (refused.status, refused.body) == (422, {"error": "not_rated"})
    assert desk.operator.get(f"{path}?unrated=true").status == 202
    wait_for(lambda: desk.operator.get(f"{path}?unrated=true").status == 200)
    assert desk.operator.get(path).status == 422


@pytest.mark.parametrize("path", ["unknown/1", f"{ROOM}/2", f"{ROOM}/0"])
def test_a_game_that_is_not_in_the_archive_is_unknown(desk: Desk, path: str) -> None:
    answer = desk.operator.get(f"/games/{path}/engine")
    assert (answer.status, answer.body) == (404, {"error": "unknown"})


def test_a_wrong_number_or_parameter_is_refused(desk: Desk) -> None:
    assert desk.operator.get(f"/games/{ROOM}/{2**70}/engine").status == 404
    assert desk.operator.get(f"{ENGINE}?verdict=1").status == 400
    assert desk.operator.get(f"{ENGINE}?unrated=maybe").status == 400


def test_the_bundle_is_a_file_without_secrets_and_persons(desk: Desk) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", desk.server.port, timeout=120)
    with closing(connection):
        connection.request("GET", "/api/operator/bundle", headers={"cookie": desk.operator.cookie})
        response = connection.getresponse()
        body = response.read()
    assert response.status == 200
    assert "attachment" in str(response.getheader("content-disposition"))
    assert response.getheader("cache-control") == "no-store"
    bundle = json.loads(body)
    assert bundle["versions"]["qipai"]
    assert bundle["settings"]["secret"] == "(set)"
    assert "QIPAI_SECRET" in bundle["environment"]
    texts = [each["text"] for each in bundle["findings"]]
    assert any("a running server accepts moves" in text for text in texts)
    for private in ("s3cret", "Olga", "Mona", str(desk.server.data), desk.operator.person):
        assert private not in body.decode(), private


def test_after_a_bundle_the_server_still_takes_moves(desk: Desk) -> None:
    assert desk.operator.get("/bundle").status == 200
    assert desk.operator.get("/health").body["store"] == {"up": True, "commit_failures": 0}


@pytest.mark.parametrize("command", [(), ("false",)], ids=["no command", "failing"])
def test_without_a_bundle_there_is_an_error(command: tuple[str, ...]) -> None:
    with pytest.raises(StoreError):
        asyncio.run(BundleMaker(command).make())


def test_two_bundles_are_not_made_at_once() -> None:
    async def make() -> None:
        maker = BundleMaker(("sleep", "0.5"))
        first = asyncio.create_task(maker.make())
        await asyncio.sleep(0)
        with pytest.raises(StoreError):
            await maker.make()
        assert await first == b""
        assert await maker.make() == b""

    asyncio.run(make())
