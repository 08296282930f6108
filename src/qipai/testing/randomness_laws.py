"""Randomness is committed to before it is used, revealed once it is spent, and can be recomputed."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final, NamedTuple

from qipai.kernel.commands import TakeSeat
from qipai.kernel.game_interface.rules_interface import StartConditions
from qipai.kernel.ids import SPECTATOR
from qipai.kernel.randomness import Random
from qipai.kernel.room import Advanced, Phase
from qipai.kernel.room_events import GameOver, GameStarted, SeatTaken
from qipai.kernel.room_view import view

from .law import Law, over
from .runs import Run, runs
from .step_checks import read_by


class StartedGame(NamedTuple):
    """A game that a spectator saw start: its revealed seed, its player entropy, and its predecessor."""

    started: GameStarted
    seed: bytes | None
    entropy: list[bytes]
    before: Any
    rematch: bool


def started_games(run: Run) -> Iterator[StartedGame]:
    """Yield each game of a run."""
    entropy = [b""] * run.subject.game.rules.seats
    started: StartedGame | None = None
    for run_step in run.run_steps:
        events = run_step.result.events if isinstance(run_step.result, Advanced) else ()
        for event in read_by(events, SPECTATOR):
            if isinstance(event, SeatTaken):
                entropy[event.seat] = bytes.fromhex(event.player_entropy)
            if isinstance(event, GameStarted):
                assert started is None, "a game is revealed before the next one is dealt"
                used = list(entropy) if event.match == 1 else []
                rematch = not isinstance(run_step.command, TakeSeat)
                started = StartedGame(event, None, used, run_step.before.state, rematch)
            if isinstance(event, GameOver):
                assert started is not None
                yield started._replace(seed=bytes.fromhex(event.seed))
                started = None
    if started is not None:
        yield started


def key_of(seed: bytes, entropy: list[bytes]) -> bytes:
    """Return the key of a game: the seed, hashed with what the players added if they added anything."""
    if not any(entropy):
        return seed
    return sha256(seed + b"".join(bytes([len(part)]) + part for part in entropy)).digest()


def _check_deals(run: Run) -> None:
    rules = run.subject.game.rules
    for started, seed, entropy, before, rematch in started_games(run):
        if seed is None:
            continue
        assert sha256(seed).hexdigest() == started.commitment
        state = rules.deal(run.first.options, Random(key_of(seed, entropy)), before, StartConditions(rematch))
        assert rules.view(state, SPECTATOR) == started.position


def _check_commitments(run: Run) -> None:
    rules = run.subject.game.rules
    for room in run.rooms:
        for viewer in run.subject.viewers:
            shown = view(rules, room, viewer, room.at)
            assert shown.commitment == sha256(room.seed).hexdigest()
            if room.phase is Phase.OVER:
                assert sha256(bytes.fromhex(shown.seed)).hexdigest() == shown.commitment
            if room.phase is Phase.PLAYING or room.match == 0:
                assert not shown.seed


def _check_first_commitment(run: Run) -> None:
    promised = view(run.subject.game.rules, run.first, SPECTATOR, run.first.at).commitment
    for game in started_games(run):
        if game.started.match == 1:
            assert game.started.commitment == promised


def _check_seeds(run: Run) -> None:
    commitments = [game.started.commitment for game in started_games(run)]
    assert len(commitments) == len(set(commitments))


RANDOMNESS_LAWS: Final = (
    Law("the revealed seed is the committed one and makes the deal", over(runs, 150)(_check_deals)),
    Law("every view has the commitment, only a finished game its seed", over(runs, 60)(_check_commitments)),
    Law(
        "the first game is committed to before a player adds entropy",
        over(runs, 60)(_check_first_commitment),
    ),
    Law("no two games of a room use the same seed", over(runs, 60)(_check_seeds)),
)
