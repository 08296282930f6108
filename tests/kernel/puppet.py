"""Puppet: a game that does what its moves say; a test decides who acts, when, and for how long."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Command, OpenRoom, Play, TableRules, TakeSeat
from qipai.kernel.game_interface.rules_interface import (
    PLAIN,
    AddressedEvent,
    IllegalCommand,
    MoveResult,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SYSTEM, Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.legacy_table_rules import LegacyTableRules
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Result, create
from qipai.kernel.step import step

SEED = bytes(range(32))
FRESH = bytes(range(32, 64))
NAMES = ("Ann", "Bob", "Cyd", "Dan")
A, B, C = Seat(0), Seat(1), Seat(2)


class Options(Struct, frozen=True):
    """Nothing to choose."""


class Do(Struct, frozen=True, tag_field="do", tag="do"):
    """Say who acts next and what they are granted, or who wins; `rolls` is how much chance this takes."""

    acting: tuple[Seat, ...] = ()
    grants: tuple[Millis | None, ...] = ()
    winners: tuple[Seat, ...] | None = None
    rolls: int = 0


class State(Struct, frozen=True):
    """`trail` is who moved, in order; `before` the acting seats before each move.

    `after` is the trail of the game before this one, and `sides` how often sides were changed.
    """

    acting: tuple[Seat, ...]
    grants: tuple[Millis | None, ...]
    winners: tuple[Seat, ...] | None = None
    trail: tuple[Seat, ...] = ()
    before: tuple[tuple[Seat, ...], ...] = ()
    after: tuple[Seat, ...] | None = None
    terms: StartConditions = PLAIN
    sides: int = 0


class Did(Struct, frozen=True, tag_field="e", tag="did"):
    """A seat moved."""

    seat: Seat
    rolled: tuple[int, ...] = ()


class Puppet:
    """Rules on strings: the constructor says how a game begins and what happens to the overdue."""

    name = "puppet"
    option_type = Options
    state_type = State
    move_type = Do

    def __init__(
        self,
        seats: int = 2,
        acting: tuple[Seat, ...] = (A,),
        grants: tuple[Millis | None, ...] = (),
        overdue: Do | None = None,
        offers: frozenset[OfferKind] = frozenset(OfferKind),
    ) -> None:
        self.seats = seats
        self.offers = offers
        self._first = State(acting, grants)
        self._overdue = overdue

    def hidden(self, options: Options) -> bool:
        return False

    def draws(self, options: Options) -> bool:
        return True

    def deal(
        self, options: Options, dice: Random, before: State | None = None, terms: StartConditions = PLAIN
    ) -> State:
        """Begin as the constructor said, and remember what was said of the game before."""
        return replace(self._first, after=None if before is None else before.trail, terms=terms)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return whom the last move named."""
        return () if state.winners is not None else state.acting

    def play(self, state: State, seat: Seat, move: Do, dice: Random) -> MoveResult:
        """Do as the move says; a move that names nobody and ends nothing is illegal."""
        if not move.acting and move.winners is None:
            raise IllegalCommand(Refusal.ILLEGAL)
        rolled = tuple(dice.below(6) for _ in range(move.rolls))
        after = replace(
            state,
            acting=move.acting,
            grants=move.grants,
            winners=move.winners,
            trail=(*state.trail, seat),
            before=(*state.before, state.acting),
        )
        return MoveResult(after, (AddressedEvent(Did(seat, rolled)),))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return what the last move granted."""
        return state.grants[seat] if seat < len(state.grants) else None

    def overdue(self, state: State, seat: Seat, dice: Random) -> Do | None:
        """Return what the constructor said."""
        return self._overdue

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """Everybody else wins."""
        return Outcome(tuple(Seat(other) for other in range(self.seats) if other != seat), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Take back the last move if this seat made it."""
        if not state.trail or state.trail[-1] != seat:
            return None
        return replace(state, acting=state.before[-1], trail=state.trail[:-1], before=state.before[:-1])

    def swap(self, state: State) -> State | None:
        """Let the next seats act instead, as long as nobody has moved."""
        if state.trail:
            return None
        acting = tuple(Seat((seat + 1) % self.seats) for seat in state.acting)
        return replace(state, acting=acting, sides=state.sides + 1)

    def outcome(self, state: State) -> Outcome | None:
        """Return the winners the last move named."""
        return None if state.winners is None else Outcome(state.winners, "said so")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> State:
        """Show everything."""
        return state

    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        """Return one way to pass the turn on."""
        return [Do((Seat((seat + 1) % self.seats),))] if seat in self.to_act(state) else []


class Bench:
    """A table under test: does commands in order and keeps the room and what was told."""

    def __init__(
        self,
        rules: Any = None,
        plan: ClockPlan | None = None,
        away: int = 60,
        seated: int | None = None,
        seed: bytes = SEED,
        *,
        hosted: bool = False,
    ) -> None:
        self.rules = Puppet() if rules is None else rules
        table = TableRules(disconnect_timeout=away, clock=plan, legacy=LegacyTableRules(host_starts=hosted))
        command = OpenRoom(RoomId("room"), Code("1234"), self.rules.name, self.rules.option_type(), table)
        self.room: AnyRoom = create(self.rules, command, Millis(0), seed)
        self.events: list[Any] = []
        self.told: tuple[AddressedEvent, ...] = ()
        for number in range(self.rules.seats if seated is None else seated):
            self.sit(NAMES[number], 0)

    def try_(self, actor: int, command: Command, now: int, **more: Any) -> Result:
        """Return what a command would do."""
        nonce, at_version = Nonce(more.get("nonce", "")), more.get("at_version", 0)
        entropy = more.get("entropy", FRESH)
        return step(self.rules, self.room, Seat(actor), command, Millis(now), entropy, nonce, at_version)

    def do(self, actor: int, command: Command, now: int, **more: Any) -> AnyRoom:
        """Do what must be carried out; return the room after it."""
        result = self.try_(actor, command, now, **more)
        assert isinstance(result, Advanced), (command, result)
        self.room, self.told = result.room, result.events
        self.events = [told.event for told in result.events]
        return self.room

    def refuses(self, actor: int, command: Command, now: int, **more: Any) -> Refusal:
        """Return why a command is refused."""
        result = self.try_(actor, command, now, **more)
        assert isinstance(result, Refused), (command, result)
        return result.code

    def sit(self, name: str, now: int, **more: Any) -> AnyRoom:
        """Seat somebody; the person's id is the name in small letters."""
        return self.do(SYSTEM, TakeSeat(Person(name.lower()), name, **more), now)

    def move(self, actor: int, now: int, *acting: Seat, **more: Any) -> AnyRoom:
        """Let a seat move, and say who acts then."""
        return self.do(actor, Play(Do(acting, **more)), now)

    @property
    def state(self) -> Any:
        """Return the game's own state."""
        return self.room.state

    @property
    def over(self) -> tuple[tuple[Seat, ...], str] | None:
        """Return the winners and the reason once the game is over."""
        if self.room.phase is not Phase.OVER or self.room.result is None:
            return None
        return self.room.result.winners, self.room.result.reason
