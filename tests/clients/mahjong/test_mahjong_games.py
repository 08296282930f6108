"""Many games of mahjong at once over real sockets, four clients each, with checked invariants."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.clients.mahjong.mahjong_bot_client import decide
from tests.clients.mahjong.mahjong_invariants import Witness, agree_at_the_end
from tests.clients.mahjong.mahjong_socket import Message, Socket, begin
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

GAMES = 200
WHOLE = 2
MIXED = 24
AT_ONCE = 25
BODIES: tuple[Message, ...] = (
    {},
    {"game_type": 16},
    {"flowers": "keep"},
    {"rules": {"several_winners": False, "passed_hu": "until_change"}},
)
BOT_NAMES = ("normal", "normal", "normal", "random")
"""One of four players discards at random, so that the others have something to claim."""


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "quick", config="bot_pause = 15\n") as server:
        yield server


async def deal(one: Socket) -> None:
    await one.do("roll_positions")
    await one.do("roll_dealer")
    await one.do("deal_tiles")


class Four:
    """Four clients of one game, each with a socket, a seat and a bot level."""

    def __init__(self, clients: list[Socket], number: int) -> None:
        self.people = clients
        self.number = number
        self.witness = Witness(max(one.seq or 0 for one in clients))
        for player, one in enumerate(clients, 1):
            one.listen = partial(self.witness.hear, player)

    @classmethod
    async def sit(cls, port: int, number: int) -> "Four":
        body = {**BODIES[number % 4], "seats": "token" if number % 8 < 4 else "open"}
        start_reply = await asyncio.to_thread(begin, port, body)
        game, tokens = start_reply["game_id"], start_reply.get("tokens", {})
        clients = [await Socket.open(port, game) for _ in range(4)]
        for player, one in enumerate(clients, 1):
            await one.do("join_room", {"player_id": player, "token": tokens.get(str(player), "")})
        for one in clients:
            while (one.seq or 0) < 4:
                await one.hear()
        return cls(clients, number)

    async def hand(self) -> Message:
        """Play one hand, and return its result."""
        await self.people[self.number % 4].do("deal_tiles")
        async with asyncio.TaskGroup() as group:
            for player, one in enumerate(self.people, 1):
                chance = random.Random(100 * self.number + player)
                decide_as_bot = partial(decide, bot=BOT_NAMES[(self.number + player) % 4])
                group.create_task(one.act(decide_as_bot, chance, player))
        self.witness.done()
        states = [one.state for one in self.people]
        agree_at_the_end(states)
        proof = await self.people[0].do("verify_wall")
        assert sorted(proof["wall"]) == list(range(144))
        assert proof["commitment"] == states[0]["commitment"]
        return dict(states[0]["result"])

    async def go_on(self) -> bool:
        """Start the next round; tell whether there is one."""
        over = (await self.people[self.number % 4].do("next_round"))["finished"]
        for one in self.people:
            while one.state["stage"] == "ROUND_OVER":
                await one.hear()
        return not over

    async def close(self) -> None:
        for one in self.people:
            await one.socket.close()


async def game(port: int, number: int) -> Message:
    four = await Four.sit(port, number)
    await four.people[0].do("roll_positions")
    await four.people[1].do("roll_dealer")
    result = await four.hand()
    assert await four.go_on()
    four.witness.done()
    # Two rolls, a deal, an end and the next round; chance decides how much there is in between.
    assert four.witness.compared >= 5
    await four.close()
    return result


def all_of(count: int, play: Callable[[int], Awaitable[Message]]) -> list[Message]:
    """Play many games, some at once; return the results of their hands."""

    async def together() -> list[Message]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> Message:
            async with gate:
                return await play(number)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(count)]
        return [task.result() for task in tasks]

    return asyncio.run(together())


def test_two_hundred_games_of_four_clients_keep_every_invariant(quick: ServerProcess) -> None:
    results = all_of(GAMES, partial(game, quick.port))
    assert len(results) == GAMES
    assert sum(result["type"] == "hu" for result in results) > GAMES / 2
    assert quick.errors == []


async def whole(port: int, number: int) -> Message:
    four = await Four.sit(port, number)
    await four.people[0].do("roll_positions")
    await four.people[1].do("roll_dealer")
    labels: list[str] = []
    while True:
        result = await four.hand()
        labels.append(four.people[0].state["round_code"])
        if not await four.go_on():
            break
    four.witness.done()
    assert [*dict.fromkeys(labels)] == [f"{wind}-{place}" for wind in range(1, 5) for place in range(1, 5)]
    for one in four.people:
        assert (one.state["stage"], one.state["is_finished"]) == ("GAME_OVER", True)
        assert (await one.ask("next_round"))["code"] == "bad_stage"
    await four.close()
    return result


def test_whole_games_run_through_all_sixteen_hands(quick: ServerProcess) -> None:
    assert len(all_of(WHOLE, partial(whole, quick.port))) == WHOLE
    assert quick.errors == []


async def mixed(port: int, number: int) -> Message:
    """Play one hand: one socket for all seats, one against bots, or bots alone with a spectator."""
    bots, mine = [([], (1, 2, 3, 4)), ([2, 3, 4], (1,)), ([1, 2, 3, 4], ())][number % 3]
    start_reply = await asyncio.to_thread(begin, port, {**BODIES[number // 3 % 4], "bots": bots})
    one = await Socket.open(port, start_reply["game_id"])
    await deal(one)
    await one.play(random.Random(number), *mine)
    state = await one.do("get_state")
    assert sum(state["result"]["delta"].values()) == 0
    assert (await one.do("verify_wall"))["commitment"] == state["commitment"]
    await one.socket.close()
    return dict(state["result"])


def test_one_client_may_play_all_seats_or_with_bots_or_watch(quick: ServerProcess) -> None:
    assert len(all_of(MIXED, partial(mixed, quick.port))) == MIXED
    assert quick.errors == []
