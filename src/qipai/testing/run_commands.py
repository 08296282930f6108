"""Binds random actions to a room: which seat sends which command."""

from typing import Final, NamedTuple

from qipai.kernel.commands import (
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    MakeOffer,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    TakeSeat,
    TimeUp,
    WithdrawOffer,
)
from qipai.kernel.ids import SEATS, SPECTATOR, SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import AnyRoom, Phase

from .subject import Subject

_FIRST: Final = ("ann", "bob", "cyd", "eve", "fay")
PERSONS: Final = (*_FIRST, *(f"player{number}" for number in range(len(_FIRST) + 1, len(SEATS) + 2)))
"""One more than the seats of the largest table."""
BOT: Final = "bot:dan"
LAGS: Final = (None, 0, 30, 250, 480, 5_000)


class Action(NamedTuple):
    """A command that is not yet bound to a room."""

    kind: str
    who: int
    pick: int
    wait: int
    aim: int | None
    chance: int
    nonce: int
    at_version: int


def entropy_of(action: Action, count: int) -> bytes:
    """Return the entropy of a command, sometimes of a wrong length."""
    if action.chance < 3:
        return (b"", bytes(31), bytes(33))[action.chance]
    return bytes([action.chance, action.pick, count % 256, 7]) * 8


def command_of(subject: Subject, room: AnyRoom, action: Action) -> tuple[Seat, Command]:
    """Return a seat for a command: mostly one that may, sometimes any."""
    rules, pick = subject.game.rules, action.pick
    odd = action.who >= 17
    lag = LAGS[action.chance % len(LAGS)] if action.chance % 2 else None
    seat = Seat(action.who % rules.seats)
    any_seat = subject.actors[pick % len(subject.actors)] if odd else seat
    system = any_seat if odd else SYSTEM
    accepted = pick % (2 * rules.seats) != 0
    leaving = action.kind in {"resign", "leave", "disconnected"}
    match "move" if leaving and pick % subject.leaves_once_in else action.kind:
        case "move":
            acting = rules.to_act(room.state) if room.phase is Phase.PLAYING else ()
            # A move ends an offer, and all others must accept it: the more seats, the more answers.
            if room.offers and acting and action.who % (rules.seats + 1) < rules.seats - 1:
                offer = room.offers[-1]
                return offer.asked[0], AnswerOffer(offer.id, yes=accepted)
            if not acting or odd:
                return _go_on(subject, room, action, seat)
            if subject.choose is not None:
                mover, move = subject.choose(room.state, action.who, pick)
                return mover, Play(move, lag)
            mover = acting[action.who % len(acting)]
            moves = rules.legal(room.state, mover)
            return mover, Play(moves[pick % min(len(moves), subject.choices)], lag)
        case "any move":
            return any_seat, Play(subject.universe[pick % len(subject.universe)])
        case "take seat":
            return system, _take_seat(action, rules.seats)
        case "offer":
            kinds = list(OfferKind)
            rematch = room.phase is Phase.OVER and not odd
            return any_seat, MakeOffer(OfferKind.REMATCH if rematch else kinds[pick % len(kinds)])
        case "answer":
            standing = room.offers[pick % len(room.offers)] if room.offers else None
            # Or it is withdrawn, by its maker or by another seat.
            back = pick % 5 == 4
            if standing is None or odd:
                return any_seat, WithdrawOffer(pick - 5) if back else AnswerOffer(pick - 5, yes=pick % 2 == 0)
            if back:
                return standing.seat, WithdrawOffer(standing.id)
            return standing.asked[0], AnswerOffer(standing.id, yes=accepted)
        case "resign":
            return any_seat, Resign()
        case "leave":
            return any_seat, LeaveSeat()
        case "say":
            text = ("hello", "", "   ", "好棋 👍", "x" * 500)[pick % 5]
            return SPECTATOR if pick % 3 == 0 else any_seat, Say(text, "Watcher")
        case "disconnected":
            return system, Disconnected(_reached(action, rules.seats))
        case "reconnected":
            return system, Reconnected(_reached(action, rules.seats))
        case "time up":
            return system, TimeUp()
        case "outage ended":
            return system, OutageEnded(Millis(room.at - 5_000 + pick * 300), Millis(pick % 3 * 2_500))
        case _:
            # Seldom: a closed room refuses everything.
            return (SYSTEM if pick > 58 else seat), Close()


def _go_on(subject: Subject, room: AnyRoom, action: Action, seat: Seat) -> tuple[Seat, Command]:
    """Return a command that leads to the next game, or a move that is not possible."""
    if action.pick % 4 == 0 or room.phase in {Phase.PLAYING, Phase.CLOSED}:
        return seat, Play(subject.universe[action.pick % len(subject.universe)])
    if None in room.seats:
        return SYSTEM, _take_seat(action, subject.game.rules.seats)
    for offer in room.offers:
        return offer.asked[0], AnswerOffer(offer.id, yes=True)
    return seat, MakeOffer(OfferKind.REMATCH)


def _reached(action: Action, seats: int) -> Seat:
    """Return the seat of a connection, seldom an empty one."""
    known = (*range(seats), *range(seats), seats + 5, -3)
    return Seat(known[action.pick % len(known)])


def _take_seat(action: Action, seats: int) -> TakeSeat:
    """Return who takes which seat; there is one person more than seats, and a bot."""
    persons = (*PERSONS[: seats + 1], BOT)
    person = persons[action.pick % len(persons)]
    wanted = (None, None, None, *(Seat(seat) for seat in (*range(seats), -1, 99)))
    seat = wanted[action.pick % len(wanted)]
    bot = "dan" if person == BOT else ""
    # The very same b"" each time: msgspec leaves a default out only if it is the same object.
    entropy_bytes = bytes(action.chance) if action.chance else b""
    return TakeSeat(Person(person), person.upper(), seat, bot, entropy_bytes)
