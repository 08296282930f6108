"""A game whose moves say who acts next and for how long, and a room in which a test plays it."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Command, LegacyTableRules, OpenRoom, Play, TableRules, TakeSeat
from qipai.kernel.game_interface.rules_interface import (
    PLAIN,
    AddressedEvent,
    IllegalCommand,
    MoveResult,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SYSTEM, Code, Millis, Nonce, Person, RoomId, Seat
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
    """Name the next acting seats with their grants, or the winners; `rolls` is the number of random draws."""

    acting: tuple[Seat, ...] = ()
    grants: tuple[Millis | None, ...] = ()
    winners: tuple[Seat, ...] | None = None
    rolls: int = 0


class State(Struct, frozen=True):
    """`movers`: the seats that moved, in order; `acting_before`: the acting seats before each move.

    `previous_movers`: the movers of the previous game; `swaps`: how often sides were swapped.
    """

    acting: tuple[Seat, ...]
    grants: tuple[Millis | None, ...]
    winners: tuple[Seat, ...] | None = None
    movers: tuple[Seat, ...] = ()
    acting_before: tuple[tuple[Seat, ...], ...] = ()
    previous_movers: tuple[Seat, ...] | None = None
    conditions: StartConditions = PLAIN
    swaps: int = 0


class Did(Struct, frozen=True, tag_field="e", tag="did"):
    """A seat moved."""

    seat: Seat
    rolled: tuple[int, ...] = ()


class ScriptedRules:
    """Rules without a game: the constructor sets the first state and the move for an overdue seat."""

    name = "scripted"
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
        self,
        options: Options,
        random: Random,
        before: State | None = None,
        conditions: StartConditions = PLAIN,
    ) -> State:
        """Return the first state, with the movers of the previous game."""
        return replace(
            self._first,
            previous_movers=None if before is None else before.movers,
            conditions=conditions,
        )

    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that the last move named."""
        return () if state.winners is not None else state.acting

    def play(self, state: State, seat: Seat, move: Do, random: Random) -> MoveResult:
        """Apply the move; a move without acting seats and without winners is illegal."""
        if not move.acting and move.winners is None:
            raise IllegalCommand(Refusal.ILLEGAL)
        rolled = tuple(random.below(6) for _ in range(move.rolls))
        next_state = replace(
            state,
            acting=move.acting,
            grants=move.grants,
            winners=move.winners,
            movers=(*state.movers, seat),
            acting_before=(*state.acting_before, state.acting),
        )
        return MoveResult(next_state, (AddressedEvent(Did(seat, rolled)),))

    def allowance(self, state: State, seat: Seat) -> Millis | None:
        """Return the grant of the last move."""
        return state.grants[seat] if seat < len(state.grants) else None

    def overdue(self, state: State, seat: Seat, random: Random) -> Do | None:
        """Return the move that the constructor got."""
        return self._overdue

    def forfeit(self, state: State, seat: Seat, reason: str) -> Outcome:
        """Let all other seats win."""
        return Outcome(tuple(Seat(other) for other in range(self.seats) if other != seat), reason)

    def undo(self, state: State, seat: Seat) -> State | None:
        """Undo the last move if this seat made it."""
        if not state.movers or state.movers[-1] != seat:
            return None
        return replace(
            state,
            acting=state.acting_before[-1],
            movers=state.movers[:-1],
            acting_before=state.acting_before[:-1],
        )

    def swap(self, state: State) -> State | None:
        """Let the next seats act instead, before the first move."""
        if state.movers:
            return None
        acting = tuple(Seat((seat + 1) % self.seats) for seat in state.acting)
        return replace(state, acting=acting, swaps=state.swaps + 1)

    def outcome(self, state: State) -> Outcome | None:
        """Return the winners that the last move named."""
        return None if state.winners is None else Outcome(state.winners, "named")

    def view(self, state: State, viewer: Seat, *, over: bool = False) -> State:
        """Return the whole state."""
        return state

    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        """Return one move that passes the turn on."""
        return [Do((Seat((seat + 1) % self.seats),))] if seat in self.to_act(state) else []


class RoomDriver:
    """A room under test: applies commands in order and keeps the room and the events of the last step."""

    def __init__(
        self,
        rules: Any = None,
        plan: ClockPlan | None = None,
        disconnect_timeout: int = 60,
        seated: int | None = None,
        seed: bytes = SEED,
        *,
        host_starts: bool = False,
        options: Any = None,
    ) -> None:
        self.rules = ScriptedRules() if rules is None else rules
        options = self.rules.option_type() if options is None else options
        table = TableRules(
            disconnect_timeout=disconnect_timeout,
            clock=plan,
            legacy=LegacyTableRules(host_starts=host_starts),
        )
        command = OpenRoom(RoomId("room"), Code("1234"), self.rules.name, options, table)
        self.room: AnyRoom = create(self.rules, command, Millis(0), seed)
        self.events: list[Any] = []
        self.addressed_events: tuple[AddressedEvent, ...] = ()
        for number in range(self.rules.seats if seated is None else seated):
            self.take_seat(NAMES[number], 0)

    def try_(self, actor: int, command: Command, now: int, **more: Any) -> Result:
        """Return the result of a command without applying it."""
        nonce, at_version = Nonce(more.get("nonce", "")), more.get("at_version", 0)
        entropy = more.get("entropy", FRESH)
        return step(self.rules, self.room, Seat(actor), command, Millis(now), entropy, nonce, at_version)

    def do(self, actor: int, command: Command, now: int, **more: Any) -> AnyRoom:
        """Apply a command that must take effect; return the room after it."""
        result = self.try_(actor, command, now, **more)
        assert isinstance(result, Advanced), (command, result)
        self.room, self.addressed_events = result.room, result.events
        self.events = [addressed.event for addressed in result.events]
        return self.room

    def refuses(self, actor: int, command: Command, now: int, **more: Any) -> Refusal:
        """Return why a command is refused."""
        result = self.try_(actor, command, now, **more)
        assert isinstance(result, Refused), (command, result)
        return result.code

    def take_seat(self, name: str, now: int, **more: Any) -> AnyRoom:
        """Give a person a seat; the person's id is the name in lower case."""
        return self.do(SYSTEM, TakeSeat(Person(name.lower()), name, **more), now)

    def move(self, actor: int, now: int, *acting: Seat, **more: Any) -> AnyRoom:
        """Make a move after which these seats act."""
        return self.do(actor, Play(Do(acting, **more)), now)

    @property
    def state(self) -> Any:
        """Return the state of the game."""
        return self.room.state

    @property
    def over(self) -> tuple[tuple[Seat, ...], str] | None:
        """Return the winners and the reason once the game is over."""
        if self.room.phase is not Phase.OVER or self.room.result is None:
            return None
        return self.room.result.winners, self.room.result.reason
