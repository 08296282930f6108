"""A game as clients follow it: moves with the clock and the dice that stand after each of them."""

from collections.abc import Sequence
from typing import Any, Final

from qipai.games.chess.wire_types import CurrentDice, DiceChanged, Moved, Passed, Rolled, View
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Millis, Seat
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .board_coordinates import king

Audience = Seat | None
"""Who is told: this seat, or everybody."""
Said = list[tuple[Audience, bytes]]
BOARD: Final = frozenset({Moved, Rolled, Passed, DiceChanged})
"""The events that are told here."""
_BEGINNING: Final = "PN"
"""The kinds that can move when a game begins."""


class GameState:
    """`host` is the seat whose time is `timeA`; `turn` the seat to act.

    `restored`: the owner of the dice goes on after a check that interrupted him.
    """

    __slots__ = ("code", "fen", "hand", "host", "plies", "restored", "turn", "white")

    def __init__(self, code: str, host: Seat) -> None:
        self.code = code
        self.host = host
        self.white = self.turn = Seat(0)
        self.fen = ""
        self.plies = 0
        self.hand: CurrentDice | None = None
        self.restored = False

    def lay(self, position: View) -> None:
        """Take a whole position over."""
        self.white = position.white
        self.turn = position.turn
        self.fen = position.fen
        self.plies = len(position.moves)
        self.hand = position.dice
        self.restored = False

    def side(self, seat: Seat) -> int:
        """Return 0 for the seat that has white, 1 for the other."""
        return 0 if seat == self.white else 1

    @property
    def to_move(self) -> str:
        """Return the side to move."""
        return outgoing_messages.COLORS[self.side(self.turn)]

    @property
    def interrupted(self) -> bool:
        """Tell whether a check has to be answered before the dice are used further."""
        return self.hand is not None and self.hand.free

    @property
    def left(self) -> int:
        """Return how many dice are still to be used, now or after an interruption."""
        return 0 if self.hand is None else self.hand.used.count(".")

    # Moves

    def plainly(self, moved: Moved, notice: RoomEvents, frame: bytes | None) -> bytes:
        """Return a move of which nothing else is told; `frame` is what was sent, less its closing brace."""
        self.fen = moved.fen
        self.plies += 1
        self.turn = turn = notice.to_act[0]
        if frame is None:
            frame = outgoing_messages.moved(self.code, moved.uci)
        clock = notice.clock
        if clock is None:
            return outgoing_messages.timed(frame, 0, 0, self.side(turn), notice.at)
        left, host = clock.left, self.host
        return outgoing_messages.timed(
            frame, left[host] or 0, left[1 - host] or 0, turn != self.white, notice.at
        )

    def follow(self, notice: RoomEvents, frame: bytes | None, increment: int) -> Said:
        """Return what is told of moves and dice."""
        events = [event for event in notice.events if type(event) in BOARD]
        left = None if notice.clock is None else notice.clock.left
        self._take(notice, events)
        said: Said = []
        for number, event in enumerate(events):
            throw = next((after for after in events[number + 1 :] if isinstance(after, Rolled)), None)
            turn = self.turn if throw is None else throw.seat
            match event:
                case Moved():
                    earned = left
                    if not notice.to_act and self.plies > 1:
                        earned = _earned(left, event.seat, increment)
                    told = outgoing_messages.moved(self.code, event.uci) if frame is None else frame
                    state = self._dice(self._usable if throw is None else 0)
                    said.append((None, told + self._timer(earned, turn, notice.at) + state + b"}"))
                case Rolled():
                    if not said and event.seat != notice.seat:
                        # Somebody let his last die go.
                        said.append(
                            (None, self._staying(Seat(1 - event.seat), left, event.seat, notice.at, 0))
                        )
                    said.append(self._rolled(event, frame))
                case Passed() if _stays(events[:number]):
                    said.append((None, self._staying(event.seat, left, turn, notice.at, 0)))
                case DiceChanged() if not said or (
                    isinstance(events[number - 1], Rolled) and "-" in event.dice.used
                ):
                    stays = self._staying(self.turn, left, self.turn, notice.at, self._usable)
                    said.append((None, stays))
        return said

    def _take(self, notice: RoomEvents, events: Sequence[Any]) -> None:
        """Take over how things stand after all of it."""
        interrupted = self.interrupted
        for event in events:
            match event:
                case Moved():
                    self.fen = event.fen
                    self.plies += 1
                    self.turn = Seat(1 - event.seat)
                case Rolled():
                    self.restored = False
                case DiceChanged():
                    self.hand = event.dice
        if notice.to_act:
            self.turn = notice.to_act[0]
        owner = None if self.hand is None else self.hand.owner
        goes_on = self.left > 0 and owner == self.turn and not self.interrupted
        self.restored = goes_on and (self.restored or interrupted)

    @property
    def _usable(self) -> int:
        """Return how many dice whoever is to act may use."""
        return 0 if self.hand is None or self.hand.free or self.hand.owner != self.turn else self.left

    def _dice(self, left: int) -> bytes:
        return b"" if self.hand is None else outgoing_messages.dice(left, interrupted=self.interrupted)

    def _timer(self, left: Sequence[int | None] | None, turn: Seat, at: Millis) -> bytes:
        side = 0 if turn == self.white else 1
        since = at if self.plies else None
        if left is None:
            return outgoing_messages.timer(0, 0, side, since)
        host = self.host
        return outgoing_messages.timer(left[host] or 0, left[1 - host] or 0, side, since)

    def _rolled(self, event: Rolled, frame: bytes | None) -> tuple[Audience, bytes]:
        """Return dice; those that a client brought are told to the other one, as they came."""
        if event.picks:
            return None, outgoing_messages.rolled(self.code, event.picks, self.side(event.seat))
        if event.brought:
            other = Seat(1 - event.seat)
            return other, outgoing_messages.thrown(self.code, event.dice) if frame is None else frame + b"}"
        return None, outgoing_messages.thrown(self.code, event.dice)

    def _staying(
        self, seat: Seat, left: Sequence[int | None] | None, turn: Seat, at: Millis, dice: int
    ) -> bytes:
        """Return that nothing was moved, but turn or dice are others."""
        square = king(self.fen, white=seat == self.white)
        said = outgoing_messages.stayed(self.code, square) + self._timer(left, turn, at) + self._dice(dice)
        return said + b"}"

    # The beginning

    def beginning(
        self, position: View, plan: ClockPlan | None, modes: Any, mines: Any, now: Millis, *, free: bool
    ) -> list[bytes]:
        """Return that a game begins, and the dice that were thrown with it; `free`: for use in any order."""
        frames = [outgoing_messages.started(self.code, plan, self.white, self.host, modes, mines, now)]
        left = outgoing_messages.mains(plan)
        for number, throw in enumerate(position.rolls):
            if free:
                picks = [_BEGINNING.find(letter) for letter in throw.dice]
                frames.append(outgoing_messages.rolled(self.code, picks, self.side(throw.seat)))
            else:
                frames.append(outgoing_messages.thrown(self.code, throw.dice))
            if after := position.rolls[number + 1 :]:
                frames.append(self._staying(throw.seat, left, after[0].seat, now, 0))
            elif "-" in throw.used:
                frames.append(self._staying(throw.seat, left, self.turn, now, self._usable))
        return frames


def _stays(before: Sequence[Any]) -> bool:
    """Tell whether no move tells already that the turn went by."""
    return not before or not isinstance(before[-1], Moved)


def _earned(left: tuple[int | None, ...] | None, seat: Seat, increment: int) -> tuple[int | None, ...] | None:
    """Return the time with what the last move earned: the clock has stopped before it was added."""
    if left is None or left[seat] is None:
        return left
    return tuple((time or 0) + increment if number == seat else time for number, time in enumerate(left))
