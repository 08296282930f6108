"""Random runs of a room: any commands from any seat, at any time, with any randomness."""

import functools
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.games.game import Game
from qipai.hall.journal.record_conversion import record_of
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Command, OpenRoom, TableRules, TakeSeat, TimeUp
from qipai.kernel.ids import SYSTEM, Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.room import Advanced, AnyRoom, Result, create, deadline
from qipai.kernel.step import step

from .run_commands import PERSONS, Action, command_of, entropy_of
from .subject import Subject

BEGIN: Final = 1_767_400_000_000
KINDS: Final = (
    *("move",) * 30,
    *("offer", "answer") * 4,
    *("take seat", "say", "disconnected", "reconnected", "any move") * 2,
    *("resign", "leave", "time up", "outage ended", "close"),
)
WAITS: Final = (*(0, 1, 40, 900, 2_500) * 3, 9_999, 15_000, 61_000, -1, -700, -100_000)
AIMS: Final = (*(None,) * 13, -1, 0, 1)
"""Beside waiting: just before the deadline, at it, just after it."""

VERSIONS: Final = (0, 0, 0, 0, 0, 1, 1, 2, 3, 4)

PLANS: Final = (
    None,
    ClockPlan(main=(0,)),
    ClockPlan(main=(60_000,)),
    ClockPlan(main=(30_000,), increment=2_000, first_free=True),
    ClockPlan(main=(5_000, 0)),
    ClockPlan(main=(90_000, 20_000), increment=500, move=10_000),
    ClockPlan(move=8_000, first_free=True),
    ClockPlan(main=(20_000,), increment=500, lag_compensation=True),
)


class Opening(NamedTuple):
    """How a room starts."""

    option: int
    plan: ClockPlan | None
    away: int
    seed: bytes


class RunStep(NamedTuple):
    """A room, a command, and its result."""

    before: AnyRoom
    actor: Seat
    command: Command
    now: Millis
    entropy: bytes
    nonce: Nonce
    at_version: int
    result: Result

    @property
    def after(self) -> AnyRoom:
        """Return the room from now on."""
        return self.result.room if isinstance(self.result, Advanced) else self.before


class Run(NamedTuple):
    """All steps of one room."""

    subject: Subject
    opening: OpenRoom
    seed: bytes
    first: AnyRoom
    run_steps: tuple[RunStep, ...]

    @property
    def rooms(self) -> list[AnyRoom]:
        """Return every version of the room, oldest first."""
        return [self.first, *(m.result.room for m in self.run_steps if isinstance(m.result, Advanced))]

    @property
    def last(self) -> AnyRoom:
        """Return the room at the end."""
        return self.run_steps[-1].after if self.run_steps else self.first


actions: Final = st.builds(
    Action,
    kind=st.sampled_from(KINDS),
    who=st.integers(0, 20),
    pick=st.integers(0, 63),
    wait=st.sampled_from(WAITS),
    aim=st.sampled_from(AIMS),
    chance=st.integers(0, 9),
    nonce=st.integers(0, 9),
    at_version=st.sampled_from(VERSIONS),
)


def openings(subject: Subject) -> st.SearchStrategy[Opening]:
    """Return how rooms of a game start, with each of its options."""
    return st.builds(
        Opening,
        option=st.integers(0, len(subject.options) - 1),
        plan=st.sampled_from(PLANS),
        away=st.sampled_from((0, 30)),
        seed=st.binary(min_size=32, max_size=32),
    )


def runs(subject: Subject) -> st.SearchStrategy[Run]:
    """Return runs of rooms of one game drawn from one seed: these are long."""
    # Lists drawn by hypothesis are too short for a match; a list from a seed shrinks by its length.
    lengths = st.sampled_from(subject.lengths)
    return _runs(subject, st.builds(random_actions, st.integers(0, 2**32), lengths))


def short_runs(subject: Subject) -> st.SearchStrategy[Run]:
    """Return runs that are drawn action by action: these shrink well."""
    return _runs(subject, st.lists(actions, min_size=5, max_size=40))


def _runs(subject: Subject, plans: st.SearchStrategy[list[Action]]) -> st.SearchStrategy[Run]:
    # Most runs start with every seat taken; the others test half-empty rooms.
    seats = subject.game.rules.seats
    begins = st.sampled_from((*(seats,) * 6, seats - 1, 0))
    return st.builds(functools.partial(live, subject), openings(subject), begins, plans)


def random_actions(number: int, length: int) -> list[Action]:
    """Return actions computed from one number; a shorter list is a prefix of a longer one."""
    chance = random.Random(number)  # noqa: S311 - not for secrets
    return [
        Action(
            kind=chance.choice(KINDS),
            who=chance.randrange(21),
            pick=chance.randrange(64),
            wait=chance.choice(WAITS),
            aim=chance.choice(AIMS),
            chance=chance.randrange(10),
            nonce=chance.randrange(10),
            at_version=chance.choice(VERSIONS),
        )
        for _ in range(length)
    ]


def quiet(number: int, length: int) -> list[Action]:
    """Return commands of players who only play."""
    return [
        action._replace(kind="move", who=action.who % 17, wait=0, aim=None, nonce=9, at_version=0)
        for action in random_actions(number, length)
    ]


def live(subject: Subject, opening: Opening, seated: int, plan: list[Action]) -> Run:
    """Return the run of these actions in order."""
    game = subject.game
    options = subject.options[opening.option % len(subject.options)]
    table = TableRules(disconnect_timeout=opening.away, clock=fitting(opening.plan, game.rules.seats))
    command = OpenRoom(RoomId("room"), Code("1234"), game.name, options, table)
    first = create(game.rules, command, Millis(BEGIN), opening.seed)
    return Run(subject, command, opening.seed, first, tuple(_run_steps(subject, first, seated, plan)))


def fitting(plan: ClockPlan | None, seats: int) -> ClockPlan | None:
    """Return the plan for a table of so many: where two have a time each, the others have theirs in turn."""
    if plan is None or len(plan.main) in (1, seats):
        return plan
    return replace(plan, main=tuple(plan.main[seat % len(plan.main)] for seat in range(seats)))


def take(game: Game, room: AnyRoom, actor: int, command: Command, now: int, **more: Any) -> RunStep:
    """Return the step of one command."""
    entropy, nonce = more.get("entropy", b""), Nonce(more.get("nonce", ""))
    at_version = more.get("at_version", 0)
    result = step(game.rules, room, Seat(actor), command, Millis(now), entropy, nonce, at_version)
    return RunStep(room, Seat(actor), command, Millis(now), entropy, nonce, at_version, result)


def journal(run: Run) -> list[Entry]:
    """Return the records that the hall would store of a run."""
    room = run.first
    rules_number = run.subject.game.rules_number
    opening = record_of(run.opening, SYSTEM, entropy=run.seed, rules_number=rules_number)
    entries = [Entry(room.id, 1, room.at, encode(opening))]
    for run_step in run.run_steps:
        if isinstance(run_step.result, Advanced):
            after = run_step.result.room
            entropy = run_step.entropy if after.seed == run_step.entropy else b""
            record = record_of(run_step.command, run_step.actor, run_step.nonce, entropy, rules_number)
            entries.append(Entry(after.id, after.version, after.at, encode(record)))
    return entries


def _run_steps(subject: Subject, room: AnyRoom, seated: int, plan: list[Action]) -> Iterator[RunStep]:
    game, now, used = subject.game, BEGIN, [Nonce("secret-nonce-first")]
    for number in range(seated):
        # Of different lengths, none longer than allowed.
        entropy_bytes = b"luck" * (number % 9) if number % 9 else b""
        run_step = take(
            game,
            room,
            SYSTEM,
            TakeSeat(Person(PERSONS[number]), PERSONS[number], player_entropy=entropy_bytes),
            now,
        )
        yield run_step
        room = run_step.after
    for count, action in enumerate(plan):
        now += action.wait
        if action.aim is not None and (due := deadline(room)) is not None:
            now = due + action.aim
        actor, command = command_of(subject, room, action)
        late = (due := deadline(room)) is not None and due <= now
        if late and action.kind == "move" and action.pick % 4:
            actor, command = SYSTEM, TimeUp()
        nonce = Nonce("")
        if action.nonce < 3:
            nonce = Nonce(f"secret-nonce-{count}")
            used.append(nonce)
        elif action.nonce == 3:
            nonce = used[action.pick % len(used)]
        at_version = (0, room.version, room.position_version - 1, room.version + 9, -3)[action.at_version]
        entropy = entropy_of(action, count)
        run_step = take(game, room, actor, command, now, entropy=entropy, nonce=nonce, at_version=at_version)
        yield run_step
        room = run_step.after
