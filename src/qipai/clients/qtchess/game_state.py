"""State of one game as chess clients follow it: moves, clocks, dice."""

from collections.abc import Sequence
from typing import Any, Final

from qipai.games.chess.events import DiceChanged, Moved, Passed, Rolled
from qipai.games.chess.wire_types import CurrentDice, View
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.view_values import ClockPlanView
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .board_coordinates import king_square

Recipient = Seat | None
"""The seat that receives a frame; None: everybody in the room."""
AddressedFrames = list[tuple[Recipient, bytes]]
BOARD_EVENTS: Final = frozenset({Moved, Rolled, Passed, DiceChanged})
"""The events that this module reports."""
_MOVABLE_AT_START: Final = "PN"
"""The pieces that can move when a game starts."""


class GameState:
    """`host` is the seat whose time is `timeA`; `turn` is the seat to act.

    `restored`: the owner of the dice continues after a check that interrupted the turn.
    """

    __slots__ = ("code", "dice", "fen", "host", "ply_count", "restored", "turn", "white")

    def __init__(self, code: str, host: Seat) -> None:
        self.code = code
        self.host = host
        self.white = self.turn = Seat(0)
        self.fen = ""
        self.ply_count = 0
        self.dice: CurrentDice | None = None
        self.restored = False

    def set_position(self, position: View) -> None:
        """Replace the state by a whole position."""
        self.white = position.white
        self.turn = position.turn
        self.fen = position.fen
        self.ply_count = len(position.moves)
        self.dice = position.dice
        self.restored = False

    def side(self, seat: Seat) -> int:
        """Return 0 for the seat that plays white, 1 for the other."""
        return 0 if seat == self.white else 1

    @property
    def to_move(self) -> str:
        """Return the colour to move."""
        return outgoing_messages.COLORS[self.side(self.turn)]

    @property
    def interrupted(self) -> bool:
        """Tell whether a check must be answered before the dice are used further."""
        return self.dice is not None and self.dice.free

    @property
    def dice_left(self) -> int:
        """Return how many dice are still to be used, now or after an interruption."""
        return 0 if self.dice is None else self.dice.used.count(".")

    # Moves

    def apply_plain_move(self, moved: Moved, notice: RoomEvents, frame: bytes | None) -> bytes:
        """Return the frame of a move alone; `frame` is what was sent, without its closing brace."""
        self.fen = moved.fen
        self.ply_count += 1
        self.turn = turn = notice.to_act[0]
        if frame is None:
            frame = outgoing_messages.move_fields(self.code, moved.uci)
        clock = notice.clock
        if clock is None:
            return outgoing_messages.timed_move(frame, 0, 0, self.side(turn), notice.at)
        times, host = clock.left, self.host
        return outgoing_messages.timed_move(
            frame, times[host] or 0, times[1 - host] or 0, turn != self.white, notice.at
        )

    def apply(self, notice: RoomEvents, frame: bytes | None, increment: int) -> AddressedFrames:
        """Return the frames that report moves and dice."""
        events = [event for event in notice.events if type(event) in BOARD_EVENTS]
        times = None if notice.clock is None else notice.clock.left
        was_interrupted = self.interrupted
        self._update_position(notice, events)
        frames: AddressedFrames = []
        for index, event in enumerate(events):
            roll = next((after for after in events[index + 1 :] if isinstance(after, Rolled)), None)
            turn = self.turn if roll is None else roll.seat
            match event:
                case Moved():
                    move_times = times
                    if not notice.to_act and self.ply_count > 1:
                        move_times = _with_increment(times, event.seat, increment)
                    move = outgoing_messages.move_fields(self.code, event.uci) if frame is None else frame
                    dice_fields = self._dice_fields(self.usable_dice if roll is None else 0)
                    frames.append(
                        (None, move + self._timer_fields(move_times, turn, notice.at) + dice_fields + b"}")
                    )
                    if was_interrupted and event.seat == turn and self.dice is not None and self.dice.picks:
                        frames += self._kept_dice(self.dice.picks, times, notice.at)
                case Rolled():
                    if not frames and event.seat != notice.seat:
                        # The opponent gave up the last die.
                        frames.append(
                            (None, self._null_move(Seat(1 - event.seat), times, event.seat, notice.at, 0))
                        )
                    frames.append(self._roll_frame(event, frame))
                case Passed() if _is_unreported_pass(events[:index]):
                    frames.append((None, self._null_move(event.seat, times, turn, notice.at, 0)))
                case DiceChanged() if not frames or (
                    isinstance(events[index - 1], Rolled) and "-" in event.dice.used
                ):
                    null_move = self._null_move(self.turn, times, self.turn, notice.at, self.usable_dice)
                    frames.append((None, null_move))
        return frames

    def _update_position(self, notice: RoomEvents, events: Sequence[Any]) -> None:
        """Update the state to that after all events."""
        was_interrupted = self.interrupted
        for event in events:
            match event:
                case Moved():
                    self.fen = event.fen
                    self.ply_count += 1
                    self.turn = Seat(1 - event.seat)
                case Rolled():
                    self.restored = False
                case DiceChanged():
                    self.dice = event.dice
        if notice.to_act:
            self.turn = notice.to_act[0]
        owner = None if self.dice is None else self.dice.owner
        continues = self.dice_left > 0 and owner == self.turn and not self.interrupted
        self.restored = continues and (self.restored or was_interrupted)

    @property
    def usable_dice(self) -> int:
        """Return how many dice the seat to act may use."""
        return 0 if self.dice is None or self.dice.free or self.dice.owner != self.turn else self.dice_left

    def _dice_fields(self, usable_dice: int) -> bytes:
        return (
            b""
            if self.dice is None
            else outgoing_messages.dice_fields(usable_dice, interrupted=self.interrupted)
        )

    def _timer_fields(self, times: Sequence[int | None] | None, turn: Seat, at: Millis) -> bytes:
        side = 0 if turn == self.white else 1
        since = at if self.ply_count else None
        if times is None:
            return outgoing_messages.timer_fields(0, 0, side, since)
        host = self.host
        return outgoing_messages.timer_fields(times[host] or 0, times[1 - host] or 0, side, since)

    def _roll_frame(self, event: Rolled, frame: bytes | None) -> tuple[Recipient, bytes]:
        """Return the frame of a roll; dice that a client brought are relayed to the other client only."""
        if event.picks:
            return None, outgoing_messages.dice_rolled(self.code, event.picks, self.side(event.seat))
        if event.brought:
            other = Seat(1 - event.seat)
            return other, outgoing_messages.dice_roll(
                self.code, event.dice
            ) if frame is None else frame + b"}"
        return None, outgoing_messages.dice_roll(self.code, event.dice)

    def _kept_dice(
        self, picks: Sequence[int], times: Sequence[int | None] | None, at: Millis
    ) -> AddressedFrames:
        """Return the frames that report the kept dice to a client whose player has answered a counter-check.

        A client clears its dice when it gives check in mid-turn, and takes them back only after a move of the
        opponent that gives no check. It reads a roll by the kinds that can move on its board, so the roll
        follows the move; and it counts three dice after every roll, so the number follows in a null move.
        """
        turn = self.turn
        rolled = outgoing_messages.dice_rolled(self.code, picks, self.side(turn))
        return [(None, rolled), (None, self._null_move(turn, times, turn, at, self.usable_dice))]

    def _null_move(
        self, seat: Seat, times: Sequence[int | None] | None, turn: Seat, at: Millis, usable_dice: int
    ) -> bytes:
        """Return the frame that reports a new turn or new dice without a move."""
        square = king_square(self.fen, white=seat == self.white)
        frame = (
            outgoing_messages.null_move(self.code, square)
            + self._timer_fields(times, turn, at)
            + self._dice_fields(usable_dice)
        )
        return frame + b"}"

    # The start

    def start_frames(
        self, position: View, plan: ClockPlanView | None, modes: Any, mines: Any, now: Millis, *, free: bool
    ) -> list[bytes]:
        """Return the frames of the start of a game and its first dice; `free`: dice for use in any order."""
        frames = [outgoing_messages.game_start(self.code, plan, self.white, self.host, modes, mines, now)]
        times = outgoing_messages.starting_times(plan)
        for index, roll in enumerate(position.rolls):
            if free:
                picks = [_MOVABLE_AT_START.find(letter) for letter in roll.dice]
                frames.append(outgoing_messages.dice_rolled(self.code, picks, self.side(roll.seat)))
            else:
                frames.append(outgoing_messages.dice_roll(self.code, roll.dice))
            if after := position.rolls[index + 1 :]:
                frames.append(self._null_move(roll.seat, times, after[0].seat, now, 0))
            elif "-" in roll.used:
                frames.append(self._null_move(roll.seat, times, self.turn, now, self.usable_dice))
        return frames


def _is_unreported_pass(before: Sequence[Any]) -> bool:
    """Tell whether no move before reports already that the turn passed."""
    return not before or not isinstance(before[-1], Moved)


def _with_increment(
    times: tuple[int | None, ...] | None, seat: Seat, increment: int
) -> tuple[int | None, ...] | None:
    """Return the times with the increment of the last move, which a stopped clock has not added."""
    if times is None or times[seat] is None:
        return times
    return tuple((time or 0) + increment if index == seat else time for index, time in enumerate(times))
