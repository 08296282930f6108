"""Every older protocol with its two players at two workers."""

import asyncio
import random
from collections.abc import Iterator

import pytest

from tests.clients.qtchess.qtchess_socket import Duel, Socket
from tests.socketio.older_programs.test_tictactoe_server import Caller, login
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    with workers(tmp_path_factory.mktemp("dialects")) as (_, made):
        yield made
        for worker in made:
            assert worker.stop() == 0
            assert worker.errors == []


def test_tic_tac_toe_has_one_lobby_chat_and_one_match(crew: list[Worker]) -> None:
    first, second = crew
    # The login of one worker is good at the other.
    ann, bob = Caller(first, login(second, "Ann")), Caller(second, login(first, "Bob"))
    bob.emit("chat message", "anybody here?")
    for each in (ann, bob):
        assert "anybody here?" in str(each.until("chat message"))
    ann.emit("join_pvp")
    ann.until("waiting_for_opponent")
    bob.emit("join_pvp")
    (one,), (other,) = ann.until("game_start"), bob.until("game_start")
    assert {one["my_side"], other["my_side"]} == {"left", "right"}
    mover, waiting = (ann, bob) if one["my_side"] == "left" else (bob, ann)
    mover.emit("make_move", {"row": 1, "col": 1})
    assert mover.until("move_made") == waiting.until("move_made")
    for each in (ann, bob):
        each.close()


def test_chess_clients_at_two_workers_play_as_at_one(crew: list[Worker]) -> None:
    async def play() -> int:
        host, guest = await Socket.open(crew[0].port), await Socket.open(crew[1].port)
        await host.say("createRoom")
        code = (await host.hear("roomCreated"))["room"]
        host.code = guest.code = code
        await guest.say("joinRoom")
        await guest.hear("joinedRoom")
        await host.hear("playerJoined")
        # A worker does not know what a client sent to another one: it reports omitted modes as off.
        modes = {"霧戰": False, "骰子": False, "踩地雷": False}
        duel = Duel(host, guest, random.Random(4), modes)
        await duel.begin()
        for _ in range(12):
            move = duel.chance.choice(sorted(duel.board.legal_moves, key=str))
            await duel.move(move, **({} if move.promotion else {"promotion": None}))
        await host.close()
        await guest.close()
        return duel.plies

    assert asyncio.run(play()) == 12
