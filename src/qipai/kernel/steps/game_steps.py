"""Moves, deals and endings: how the position of a table changes."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel import clock, room_events
from qipai.kernel.game_interface.rules_interface import (
    AddressedEvent,
    AnyRules,
    Event,
    IllegalCommand,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SEATS, SPECTATOR, SYSTEM, Millis, Seat
from qipai.kernel.offers import surviving
from qipai.kernel.randomness import SEED_BYTES, Random, commitment, mix
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import PLAYING, AnyRoom, Change, Phase, seat_deadlines
from qipai.kernel.seats import Seats

MAX_SETTLED: Final = 256
"""How many overdue decisions one `TimeUp` makes at the most; what is left wakes the room again."""


_FIRST, _SECOND, *_ = SEATS
_NO_DICE: Final = Random(b"")
"""For games whose moves draw nothing; to draw from it is an error."""


def play(rules: AnyRules, room: AnyRoom, seat: Seat, move: Any, now: Millis, at_version: int) -> Change:
    """Make a seat's move, if it is due and in time."""
    if not 0 <= seat < len(room.seats) or room.seats[seat] is None:
        raise IllegalCommand(Refusal.NOT_SEATED)
    if 0 < at_version < room.position_version:
        raise IllegalCommand(Refusal.STALE)
    if room.phase is not PLAYING:
        raise IllegalCommand(Refusal.NOT_PLAYING)
    if seat not in rules.to_act(room.state):
        raise IllegalCommand(Refusal.NOT_YOUR_TURN)
    if room.clock is not None and room.table.clock is not None:
        until = clock.due(room.table.clock, room.clock, seat)
        if until is not None and until <= now:
            raise IllegalCommand(Refusal.TOO_LATE)
    return moved(rules, room, seat, move, now)


def moved(rules: AnyRules, room: AnyRoom, seat: Seat, move: Any, now: Millis) -> Change:
    """Carry a move out: position, lapsing offers, clock, and the end if this was it."""
    draws = rules.draws(room.options)
    dice = Random(room.random_key, room.random_position) if draws else _NO_DICE
    turn = rules.play(room.state, seat, move, dice)
    told: list[AddressedEvent] | tuple[AddressedEvent, ...] = turn.events
    changes: dict[str, Any] = {"state": turn.state}
    if turn.changes_position:
        changes["position_version"] = room.version + 1
    if draws:
        changes["random_position"] = dice.position
    if room.offers and turn.ends_decision:
        kept = surviving(room.offers, seat, patient=room.table.hosted)
        ids = {offer.id for offer in kept}
        told = [
            *told,
            *(
                AddressedEvent(room_events.OfferEnded(offer.id))
                for offer in room.offers
                if offer.id not in ids
            ),
        ]
        changes["offers"] = kept
    if (outcome := rules.outcome(turn.state)) is not None:
        told = list(told)
        end(rules, room, outcome, now, changes, told)
    elif not turn.ends_decision:
        _turn_to(rules, room, turn.state, now, changes)
    elif room.clock is not None and room.table.clock is not None:
        acting, grants = rules.to_act(turn.state), grants_of(rules, turn.state)
        changes["clock"] = clock.punch(room.table.clock, room.clock, seat, acting, grants, now)
    return changes, told


def grants_of(rules: AnyRules, state: Any) -> clock.Grants:
    """Return what each seat is given for its present decision."""
    if rules.seats == 2:
        return rules.allowance(state, _FIRST), rules.allowance(state, _SECOND)
    return tuple([rules.allowance(state, seat) for seat in SEATS[: rules.seats]])


def ended(rules: AnyRules, room: AnyRoom, outcome: Outcome, now: Millis) -> Change:
    """End the game without a move."""
    changes: dict[str, Any] = {"position_version": room.version + 1}
    told: list[AddressedEvent] = []
    end(rules, room, outcome, now, changes, told)
    return changes, told


def end(
    rules: AnyRules,
    room: AnyRoom,
    outcome: Outcome,
    now: Millis,
    changes: dict[str, Any],
    told: list[AddressedEvent],
) -> None:
    """Write the end of the game into the changes; its seed is revealed, and so is all that was hidden."""
    stopped = None if room.clock is None else clock.stop(room.clock, now)
    changes.update(phase=Phase.OVER, result=outcome, offers=(), declined=(), clock=stopped)
    told.append(AddressedEvent(room_events.GameOver(outcome.winners, outcome.reason, room.seed.hex())))
    if rules.hidden(room.options):
        told += shown(
            rules, room.options, changes.get("state", room.state), room_events.SecretsRevealed, over=True
        )


def time_up(rules: AnyRules, room: AnyRoom, now: Millis) -> Change:
    """Settle everything that is overdue at this moment, the earliest first, if anything is."""
    changes: dict[str, Any] = {}
    told: list[AddressedEvent] = []
    for _ in range(MAX_SETTLED):
        due = min(seat_deadlines(room), default=None)
        if due is None or due.at > now:
            break
        if due.absent:
            change = ended(rules, room, _left_behind(rules, room, due.seat), now)
        else:
            dice = Random(room.random_key, room.random_position)
            move = rules.overdue(room.state, due.seat, dice)
            changes["random_position"] = dice.position
            room = replace(room, random_position=dice.position)
            change = (
                ended(rules, room, rules.forfeit(room.state, due.seat, "time"), now)
                if move is None
                else moved(rules, room, due.seat, move, now)
            )
        assert change is not None
        changes |= change[0]
        told += change[1]
        room = replace(room, **change[0])
    return (changes, told) if changes else None


def _left_behind(rules: AnyRules, room: AnyRoom, seat: Seat) -> Outcome:
    """Return the outcome when this seat was waited for in vain: with nobody left, nobody wins."""
    present = any(
        taken is not None and taken.disconnected_at is None and not taken.bot for taken in room.seats
    )
    return rules.forfeit(room.state, seat, "left") if present else Outcome((), "abandoned")


def deal(
    rules: AnyRules,
    room: AnyRoom,
    seats: Seats,
    now: Millis,
    entropy: bytes,
    changes: dict[str, Any],
    told: list[AddressedEvent],
    *,
    given: bytes = b"",
    rematch: bool = False,
) -> None:
    """Write a new game into the changes."""
    # The first game uses the seed committed when the room was opened; what players add can no
    # longer change it. A seed that has been revealed is never used again.
    seed = entropy if room.match else room.seed
    if len(seed) != SEED_BYTES:
        raise IllegalCommand(Refusal.UNAVAILABLE)
    luck = () if room.match else tuple(taken.player_entropy for taken in seats if taken is not None)
    key = mix(seed, luck)
    dice = Random(key)
    seers = tuple(Seat(seat) for seat, taken in enumerate(seats) if taken is not None and taken.sees_hidden)
    state = rules.deal(room.options, dice, room.state, StartConditions(rematch, given, seers))
    # Whoever is out of reach is given the whole time again: the game has only just begun.
    seats = tuple(
        taken and (taken if taken.disconnected_at is None else replace(taken, disconnected_at=now))
        for taken in seats
    )
    match, secret = room.match + 1, commitment(seed)
    told += shown(
        rules, room.options, state, lambda position: room_events.GameStarted(match, secret, position)
    )
    told += absences(seats, room.table.disconnect_timeout)
    plan = room.table.clock
    changes.update(
        phase=PLAYING,
        seats=seats,
        match=match,
        seed=seed,
        random_key=key,
        random_position=dice.position,
        state=state,
        position_version=room.version + 1,
        offers=(),
        declined=(),
        result=None,
        clock=None if plan is None else clock.start(plan, grants_of(rules, state), rules.to_act(state), now),
    )


def shown(
    rules: AnyRules, options: Any, state: Any, say: Callable[[Struct], Event], *, over: bool = False
) -> list[AddressedEvent]:
    """Return one event for everybody or, in a game with secrets, one for each viewer."""
    if not rules.hidden(options):
        return [AddressedEvent(say(rules.view(state, SPECTATOR)))]
    viewers = [*(Seat(seat) for seat in range(rules.seats)), SPECTATOR]
    return [AddressedEvent(say(rules.view(state, viewer, over=over)), (viewer,)) for viewer in viewers]


def absences(seats: Seats, away: int) -> list[AddressedEvent]:
    """Return for everybody out of reach until when he is waited for."""
    return [
        AddressedEvent(
            room_events.Disconnected(
                Seat(seat), Millis(taken.disconnected_at + away * 1000) if away else None
            )
        )
        for seat, taken in enumerate(seats)
        if taken is not None and taken.disconnected_at is not None and not taken.reserved
    ]


def undo(
    rules: AnyRules,
    room: AnyRoom,
    seat: Seat,
    now: Millis,
    changes: dict[str, Any],
    told: list[AddressedEvent],
) -> None:
    """Write the position before a seat's last move into the changes."""
    state = rules.undo(room.state, seat)
    if state is None:
        raise IllegalCommand(Refusal.NOTHING_TO_UNDO)
    told += shown(rules, room.options, state, room_events.MoveUndone)
    _turn_to(rules, room, state, now, changes)


def swap(
    rules: AnyRules, room: AnyRoom, now: Millis, changes: dict[str, Any], told: list[AddressedEvent]
) -> None:
    """Write the position with the sides changed into the changes."""
    state = rules.swap(room.state)
    if state is None:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    told += shown(rules, room.options, state, room_events.SidesSwapped)
    _turn_to(rules, room, state, now, changes)


def _turn_to(rules: AnyRules, room: AnyRoom, state: Any, now: Millis, changes: dict[str, Any]) -> None:
    """Write a position that no move led to into the changes, and who thinks about it."""
    changes["state"] = state
    if room.clock is not None and room.table.clock is not None:
        acting, grants = rules.to_act(state), grants_of(rules, state)
        punched = clock.punch(room.table.clock, room.clock, SYSTEM, acting, grants, now)
        # Nobody has moved: a first move that is free still is.
        changes["clock"] = replace(punched, free=room.clock.free)
