"""When a bot answers tells nothing about its hand, and nobody can delay it by talking."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from qipai.games.mahjong.bots.levels import Hard, Normal
from qipai.games.mahjong.claims import NO_CLAIMS, allowed_claims
from qipai.games.mahjong.wire_types import AnyMove, Stage, View
from qipai.hall.bots import bot_seats
from qipai.hall.bots.thinking_pool import ChosenMove, MoveRequest, choose
from qipai.hall.bots.thinking_scheduler import Decision
from qipai.kernel.game_interface.bot_interface import AdjustableBot, Bot
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import Phase
from tests.support.hall_simulation import HallSimulation, NativeClient

VOTES = 1_000
NOTHING = MoveRequest(None, Seat(0), (), b"")
PAUSE = 600
MOST_AUC = 0.55


class BusyBot:
    """The bot of somebody else; it computes for long, or for a part of that."""

    name = "busy"

    def __init__(self, slow: bool, effort: int = 100) -> None:
        self.slow = slow
        self.effort = effort

    def with_effort(self, effort: int) -> "BusyBot":
        return BusyBot(self.slow, effort)

    def choose(self, view: Any, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        raise NotImplementedError


class SimulatedPool:
    """Computes at once; its answer takes virtual time, the longer the more there is to choose from."""

    workers = 2
    adjusts = True
    """With less effort a mahjong bot computes less."""

    def __init__(self, engine: str = "") -> None:
        self._random = Random(bytes(32))

    def start_processes(self) -> None:
        """Nothing to start."""

    def close(self) -> None:
        """Nothing to close."""

    def choose_move(self, bot: Bot, request: MoveRequest) -> "asyncio.Future[ChosenMove]":
        loop = asyncio.get_running_loop()
        seconds, move = 0.001, None
        if isinstance(bot, BusyBot):
            seconds += 0.5 * bot.effort / 100 if bot.slow else 0.02
        else:
            if len(request.moves) > 1:
                effort = getattr(bot, "_effort", 100) if self.adjusts else 100
                seconds += self._random.below(200) / 1_000 * effort / 100
            # The time is simulated; the choice itself need not be a good one.
            move = choose(bot.with_effort(1) if isinstance(bot, AdjustableBot) else bot, *request)
        chosen = ChosenMove(move, seconds)
        future: asyncio.Future[ChosenMove] = loop.create_future()
        loop.call_later(seconds, future.set_result, chosen)
        return future


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch) -> Iterator[HallSimulation]:
    monkeypatch.setattr(bot_seats, "ThinkingPool", SimulatedPool)
    with HallSimulation(bot_pause=PAUSE) as simulation:
        yield simulation


def keep_busy(simulation: HallSimulation, slow: bool, persons: int) -> None:
    """Let bots of so many persons compute all the time."""
    scheduler, bot = simulation.hall.bots.scheduler, BusyBot(slow)

    def ask(person: str) -> None:
        deadline = Millis(simulation.now() + 2_000)
        payer = (person, person)
        scheduler.add(Decision("busy", bot, payer, deadline, lambda: NOTHING, lambda _: ask(person)))

    for number in range(persons):
        for _ in range(2):
            simulation.loop.call_soon(ask, f"person{number}")


class Attacker:
    """A player who notes when each bot answers, and could claim or not."""

    def __init__(self, simulation: HallSimulation, bot: str) -> None:
        self._simulation = simulation
        self._client = simulation.native_client("Eve")
        self._room = self._client.ask("open", game="mahjong", nonce="1", bot=bot, bots=3)[0]["room"]["id"]
        self._opened = 0
        self.votes: list[tuple[int, bool]] = []
        """Milliseconds from the start of a claim window, and whether the bot could claim."""
        self._could: dict[int, bool] = {}
        """For each bot in the present claim window."""
        self._client.connection.outbox.send = self._received

    def _received(self, frame: bytes) -> None:
        now = self._simulation.now()
        for event in json.loads(frame).get("events", ()):
            state = self._state
            if event["e"] == "turn_changed" and event["stage"] == "claiming":
                self._opened = now
                self._could = {
                    seat: allowed_claims(state, Seat(seat)) != NO_CLAIMS for seat in range(4) if seat
                }
            elif event["e"] == "claim_answered" and event["seat"]:
                self.votes.append((now - self._opened, self._could.pop(event["seat"])))

    @property
    def _state(self) -> Any:
        return self._simulation.hall.executor.live_rooms[self._room].durable.state

    def play(self) -> None:
        """Make a quick move if it is the attacker's turn, then let time pass."""
        live = self._simulation.hall.executor.live_rooms[self._room]
        state = self._state
        if live.durable.phase is Phase.OVER:
            self._client.send("offer", room=self._room, kind="rematch")
        waits = state.stage is not Stage.CLAIMING or state.answers[0] is None
        if 0 in live.rules.to_act(state) and waits:
            move = msgspec.to_builtins(live.rules.legal(state, Seat(0))[-1])
            if state.stage is Stage.CLAIMING:
                move = {"do": "pass"}
            self._client.send("play", room=self._room, move=move)
        self._simulation.wait(0.2)

    def watch(self, votes: int) -> None:
        """Play until so many answers were noted."""
        for _ in range(10 * votes):
            self.play()
            if len(self.votes) >= votes:
                return
        raise AssertionError(f"{len(self.votes)} votes")


def auc(votes: list[tuple[int, bool]]) -> float:
    """Return the probability that a vote with a possible claim came later than one without."""
    could = [time for time, can in votes if can]
    could_not = [time for time, can in votes if not can]
    wins = sum((one > two) + (one == two) / 2 for one in could for two in could_not)
    return wins / len(could) / len(could_not)


@pytest.mark.parametrize("others", [0, 40])
@pytest.mark.parametrize("bot", ["hard", "normal"])
def test_the_time_of_an_answer_does_not_tell_whether_the_bot_could_claim(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch, bot: str, others: int
) -> None:
    # Without that, no answer would be late.
    monkeypatch.setattr(SimulatedPool, "adjusts", False)
    keep_busy(simulation, bot == "hard", others)
    attacker = Attacker(simulation, bot)
    attacker.watch(VOTES)
    measured = auc(attacker.votes)
    assert 1 - MOST_AUC <= measured <= MOST_AUC, measured
    assert {PAUSE <= time <= 1.5 * PAUSE + 1 for time, _ in attacker.votes} == {True}


def test_forty_busy_persons_do_not_keep_a_bot_from_computing_its_claims(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_at_once, uncomputed = Hard.at_once, []

    def at_once(self: Hard, view: View, moves: Sequence[AnyMove]) -> AnyMove | None:
        uncomputed.append(answer_at_once(self, view, moves))
        return uncomputed[-1]

    monkeypatch.setattr(Hard, "at_once", at_once)
    keep_busy(simulation, True, 40)
    attacker = Attacker(simulation, "hard")
    attacker.watch(200)
    assert len([move for move in uncomputed if move is not None]) <= 0.05 * len(attacker.votes)


def test_a_bot_that_fails_in_a_vote_answers_at_its_time(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose_well = Normal.choose

    def choose(self: Normal, view: View, *rest: Any) -> Any:
        if view.stage is Stage.CLAIMING:
            raise ValueError("no idea")
        return choose_well(self, view, *rest)

    monkeypatch.setattr(Normal, "choose", choose)
    attacker = Attacker(simulation, "normal")
    attacker.watch(30)
    assert {PAUSE <= time <= 1.5 * PAUSE + 1 for time, _ in attacker.votes} == {True}
    assert simulation.hall.internal_errors.count >= 30


def test_chat_does_not_delay_the_answer_of_a_bot(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    room = ann.ask("open", game="gomoku", nonce="1", bot="easy")[0]["room"]["id"]
    bob.ask("watch", room=room)
    ann.ask("play", room=room, move={"do": "place", "x": 7, "y": 7})
    for number in range(5):
        simulation.wait(0.2)
        bob.ask("say", room=room, text=str(number))
    assert placed(ann) == 2


def placed(client: NativeClient) -> int:
    events = (event for frame in client.transport.frames for event in json.loads(frame).get("events", ()))
    return sum(event["e"] == "placed" for event in events)
