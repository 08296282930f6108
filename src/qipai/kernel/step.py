"""`step`: the pure function that applies a command to a room."""

from typing import Any, assert_never

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand, Outcome

from . import room_events
from .commands import (
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    MakeOffer,
    OtherCommand,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    SetPhrasesOnly,
    StartGame,
    TakeSeat,
    TimeUp,
    TransferSeat,
    WithdrawOffer,
)
from .ids import SYSTEM, Millis, Nonce, Seat
from .refusals import Refusal
from .repeated_commands import is_repeated, remember, stored_nonce
from .room import (
    CLOSED,
    PLAYING,
    UNCHANGED,
    Advanced,
    AnyRoom,
    Change,
    Refused,
    Result,
    require_playing,
    require_seat,
)
from .steps import chat_steps, game_steps, offer_steps, outage_steps, seat_steps, timeout_steps
from .steps.plain_move import plain_move


def step(
    rules: AnyRules,
    room: AnyRoom,
    actor: Seat,
    command: Command,
    now: Millis,
    entropy: bytes = b"",
    nonce: Nonce = Nonce(""),  # noqa: B008 - a NewType call is the identity
    at_version: int = 0,
) -> Result:
    """Return the result of the command. Never raises, never mutates.

    `entropy` is SEED_BYTES of fresh randomness; only commands that may start a game need it.
    `at_version` is the version the move was made for; 0 stands for any.
    """
    if type(command) is Play and actor >= 0:
        result = plain_move(rules, room, actor, command, now, nonce, at_version)
        if result is not None:
            return result
    return general_step(rules, room, actor, command, now, entropy, nonce, at_version)


def general_step(
    rules: AnyRules,
    room: AnyRoom,
    actor: Seat,
    command: Command,
    now: Millis,
    entropy: bytes,
    nonce: Nonce,
    at_version: int,
) -> Result:
    """Return the result of any command; `step` asks it for all that are no plain moves."""
    if room.phase is CLOSED:
        return Refused(Refusal.ROOM_CLOSED)
    stored = nonce if actor >= 0 else stored_nonce(actor, command, nonce)
    if stored and is_repeated(room, actor, stored):
        return UNCHANGED
    if now < room.at:
        now = room.at
    try:
        if isinstance(command, Play):
            change = game_steps.play(rules, room, actor, command, now, at_version)
        else:
            change = _apply(rules, room, actor, command, now, entropy)
    except IllegalCommand as error:
        return Refused(error.code)
    if change is None:
        return UNCHANGED
    changes, events = change
    if stored:
        remember(room, actor, stored, changes)
    changes["version"] = room.version + 1
    changes["at"] = now
    return Advanced(replace(room, **changes), tuple(events), actor, nonce)


def _apply(
    rules: AnyRules,
    room: AnyRoom,
    actor: Seat,
    command: OtherCommand,
    now: Millis,
    entropy: bytes,
) -> Change:
    match command:
        case Say():
            return chat_steps.say(room, actor, command, now)
        case SetPhrasesOnly():
            return chat_steps.set_phrases_only(room, actor, on=command.on)
        case MakeOffer():
            return offer_steps.make_offer(rules, room, require_seat(room, actor), command.kind, now, entropy)
        case AnswerOffer():
            return offer_steps.answer_offer(rules, room, require_seat(room, actor), command, now, entropy)
        case WithdrawOffer():
            return offer_steps.withdraw_offer(room, require_seat(room, actor), command.offer, now)
        case Resign():
            seat = require_seat(room, actor)
            require_playing(room)
            if room.table.substitute_bot and len(room.seats) > 2:
                # With more than two players a substitute bot plays on, so one player cannot end the game.
                raise IllegalCommand(Refusal.NOT_ALLOWED)
            return game_steps.end_without_move(rules, room, rules.forfeit(room.state, seat, "resigned"), now)
        case StartGame():
            return seat_steps.start_game(rules, room, require_seat(room, actor), command, now, entropy)
        case LeaveSeat():
            return seat_steps.leave_seat(rules, room, require_seat(room, actor), now)
        case (
            TakeSeat() | TransferSeat() | Disconnected() | Reconnected() | TimeUp() | OutageEnded() | Close()
        ):
            if actor != SYSTEM:
                raise IllegalCommand(Refusal.NOT_ALLOWED)
            return _apply_system(rules, room, command, now, entropy)
        case _:
            assert_never(command)


def _apply_system(
    rules: AnyRules,
    room: AnyRoom,
    command: TakeSeat | TransferSeat | Disconnected | Reconnected | TimeUp | OutageEnded | Close,
    now: Millis,
    entropy: bytes,
) -> Change:
    match command:
        case TakeSeat():
            return seat_steps.take_seat(rules, room, command, now, entropy)
        case TransferSeat():
            return seat_steps.transfer_seat(room, command, now)
        case Disconnected(seat=seat):
            return seat_steps.disconnected(room, seat, now)
        case Reconnected(seat=seat):
            return seat_steps.reconnected(room, seat, now)
        case TimeUp():
            return timeout_steps.time_up(rules, room, now)
        case OutageEnded():
            return outage_steps.outage_ended(room, command, now)
        case Close():
            return _close(rules, room, now)
        case _:
            assert_never(command)


def _close(rules: AnyRules, room: AnyRoom, now: Millis) -> Change:
    changes: dict[str, Any] = {"offers": ()}
    events: list[AddressedEvent] = []
    if room.phase is PLAYING:
        game_steps.write_end(rules, room, Outcome((), "abandoned"), now, changes, events)
    changes |= {"phase": CLOSED, "clock": None}
    return changes, [*events, AddressedEvent(room_events.Closed())]
