"""`step`: the only thing that makes the next room."""

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
from .room import (
    CLOSED,
    NONCES,
    PLAYING,
    UNCHANGED,
    Advanced,
    AnyRoom,
    Change,
    Refused,
    Result,
    playing,
    seated,
)
from .steps import chat_steps, game_steps, offer_steps, seat_steps


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
    """Return what the command does to the room. Total: it never raises and never mutates.

    `entropy` is SEED_BYTES of fresh chance; only commands that may deal a game need it.
    `at_version` other than 0 says which version the actor was looking at.
    """
    if room.phase is CLOSED:
        return Refused(Refusal.ROOM_CLOSED)
    slot = actor if actor >= 0 else len(room.seats)
    mark = nonce
    if nonce and actor < 0:
        # Watchers and the system share a slot; each makes up his own nonces.
        mark = Nonce(f"{nonce} {command.name}" if isinstance(command, Say) else f"{nonce}\n")
    if mark and slot < len(room.nonces) and mark in room.nonces[slot]:
        return UNCHANGED
    if now < room.at:
        now = room.at
    try:
        if isinstance(command, Play):
            change = game_steps.play(rules, room, actor, command.move, now, at_version)
        else:
            change = _change(rules, room, actor, command, now, entropy)
    except IllegalCommand as no:
        return Refused(no.code)
    if change is None:
        return UNCHANGED
    changes, told = change
    if mark:
        known = list(changes.get("nonces", room.nonces))
        known[slot] = (*known[slot][1 - NONCES :], mark)
        changes["nonces"] = tuple(known)
    changes["version"] = room.version + 1
    changes["at"] = now
    return Advanced(replace(room, **changes), tuple(told), actor, nonce)


def _change(
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
            return chat_steps.hush(room, actor, closed=command.on)
        case MakeOffer():
            return offer_steps.offer(rules, room, seated(room, actor), command.kind, now, entropy)
        case AnswerOffer():
            return offer_steps.answer(rules, room, seated(room, actor), command, now, entropy)
        case WithdrawOffer():
            return offer_steps.withdraw(room, seated(room, actor), command.offer, now)
        case Resign():
            seat = seated(room, actor)
            playing(room)
            if room.table.substitute_bot and len(room.seats) > 2:
                # A game that goes on without whoever leaves does not end for the others because of one.
                raise IllegalCommand(Refusal.NOT_ALLOWED)
            return game_steps.ended(rules, room, rules.forfeit(room.state, seat, "resigned"), now)
        case StartGame():
            return seat_steps.start(rules, room, seated(room, actor), command, now, entropy)
        case LeaveSeat():
            return seat_steps.stand(rules, room, seated(room, actor), now)
        case (
            TakeSeat() | TransferSeat() | Disconnected() | Reconnected() | TimeUp() | OutageEnded() | Close()
        ):
            if actor != SYSTEM:
                raise IllegalCommand(Refusal.NOT_ALLOWED)
            return _system(rules, room, command, now, entropy)
        case _:
            assert_never(command)


def _system(
    rules: AnyRules,
    room: AnyRoom,
    command: TakeSeat | TransferSeat | Disconnected | Reconnected | TimeUp | OutageEnded | Close,
    now: Millis,
    entropy: bytes,
) -> Change:
    match command:
        case TakeSeat():
            return seat_steps.sit(rules, room, command, now, entropy)
        case TransferSeat():
            return seat_steps.transfer(room, command, now)
        case Disconnected(seat=seat):
            return seat_steps.lost(room, seat, now)
        case Reconnected(seat=seat):
            return seat_steps.back(room, seat, now)
        case TimeUp():
            return game_steps.time_up(rules, room, now)
        case OutageEnded():
            return seat_steps.woke(room, command, now)
        case Close():
            return _close(rules, room, now)
        case _:
            assert_never(command)


def _close(rules: AnyRules, room: AnyRoom, now: Millis) -> Change:
    changes: dict[str, Any] = {"offers": ()}
    told: list[AddressedEvent] = []
    if room.phase is PLAYING:
        game_steps.end(rules, room, Outcome((), "abandoned"), now, changes, told)
    changes |= {"phase": CLOSED, "clock": None}
    return changes, [*told, AddressedEvent(room_events.Closed())]
