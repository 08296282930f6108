"""Any worker answers a shared link, also one that has nobody at the table."""

import time
from collections.abc import Iterator

import pytest

from tests.cluster.older_clients.test_sessions import quiet
from tests.server.test_http import BUILT
from tests.server.test_link_previews import Answer
from tests.support.finished_games import finish
from tests.support.server import Client, ServerProcess
from tests.support.workers import workers

pytestmark = [pytest.mark.slow, BUILT]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    with workers(tmp_path_factory.mktemp("previews")) as (_, made):
        yield made[0], made[1]
        quiet(*made)


@pytest.mark.parametrize("public", [True, False])
def test_an_invitation_is_the_same_on_every_worker(
    pair: tuple[ServerProcess, ServerProcess], *, public: bool
) -> None:
    here, there = pair
    mei = Client(here.port, name="Mei")
    opened = mei.ask("open", "room", game="gomoku", nonce=f"open {public}", table={"public": public})
    room = opened["room"]["id"]
    for server in (there, here):
        answer = Answer(server, f"/t/{room}")
        assert (answer.status, answer.tags["og:title"]) == (200, "Mei invites you to gomoku")
        assert Answer(server, answer.tags["og:image"]).status == 200
    mei.ask("leave", "left", room=room)
    for _ in range(100):  # The other worker reads of it a moment later.
        if Answer(there, f"/t/{room}").status == 404:
            break
        time.sleep(0.1)
    assert Answer(there, f"/t/{room}").status == 404
    mei.close()


def test_a_finished_game_is_known_to_every_worker(pair: tuple[ServerProcess, ServerProcess]) -> None:
    here, there = pair
    room = finish(here.port, "chess")
    assert Answer(there, f"/g/{room}/1").tags["og:title"] == "Bo won against Ada: Chess"


def test_no_worker_knows_an_unknown_table(pair: tuple[ServerProcess, ServerProcess]) -> None:
    assert [Answer(server, "/t/nosuchroom").status for server in pair] == [404, 404]
