"""Steps of a game: start, move, undo, swap and end."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.kernel import clock, room_events
from qipai.kernel.commands import Play
from qipai.kernel.game_interface.rules_interface import (
    AddressedEvent,
    AnyRules,
    Event,
    IllegalCommand,
    Outcome,
    StartConditions,
)
from qipai.kernel.ids import SEATS, SPECTATOR, SYSTEM, Millis, Seat
from qipai.kernel.offers import offers_after_move
from qipai.kernel.randomness import SEED_BYTES, Random, commitment, game_key
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import PLAYING, AnyRoom, Change, Phase
from qipai.kernel.seats import Seats

_FIRST, _SECOND, *_ = SEATS
NO_RANDOMNESS: Final = Random(b"")
"""For games whose moves use no randomness; drawing from it raises."""


def play(rules: AnyRules, room: AnyRoom, seat: Seat, command: Play, now: Millis, at_version: int) -> Change:
    """Make a seat's move, if it is the seat's turn and in time."""
    if not 0 <= seat < len(room.seats) or room.seats[seat] is None:
        raise IllegalCommand(Refusal.NOT_SEATED)
    if 0 < at_version < room.position_version:
        raise IllegalCommand(Refusal.STALE)
    if room.phase is not PLAYING:
        raise IllegalCommand(Refusal.NOT_PLAYING)
    if seat not in rules.to_act(room.state):
        raise IllegalCommand(Refusal.NOT_YOUR_TURN)
    running, plan = room.clock, room.table.clock
    if running is not None and plan is not None:
        if command.lag is not None or running.lags:
            running = clock.compensate(plan, running, seat, command.lag, now)
        until = clock.out_of_time(plan, running, seat)
        if until is not None and until <= now:
            raise IllegalCommand(Refusal.TOO_LATE)
    return apply_move(rules, room, seat, command.move, now, running)


def apply_move(
    rules: AnyRules, room: AnyRoom, seat: Seat, move: Any, now: Millis, running: clock.Clock | None
) -> Change:
    """Apply a move: position, offers it ends, clock, and the end of the game.

    `running` is the clock of the room, with the lag of this move.
    """
    draws = rules.draws(room.options)
    random = Random(room.random_key, room.random_position) if draws else NO_RANDOMNESS
    result = rules.play(room.state, seat, move, random)
    events: list[AddressedEvent] | tuple[AddressedEvent, ...] = result.events
    changes: dict[str, Any] = {"state": result.state}
    if result.changes_position:
        changes["position_version"] = room.version + 1
    if draws:
        changes["random_position"] = random.position
    if room.offers and result.ends_decision:
        standing = offers_after_move(room.offers, seat, until_answered=room.table.legacy.host_starts)
        ids = {offer.id for offer in standing}
        events = [
            *events,
            *(
                AddressedEvent(room_events.OfferEnded(offer.id))
                for offer in room.offers
                if offer.id not in ids
            ),
        ]
        changes["offers"] = standing
    if (outcome := rules.outcome(result.state)) is not None:
        events = list(events)
        write_end(rules, room, outcome, now, changes, events)
        changes["clock"] = None if running is None else clock.stop(running, now)
    elif not result.ends_decision:
        write_position(rules, room, result.state, now, changes)
    elif running is not None and room.table.clock is not None:
        acting, grants = rules.to_act(result.state), decision_times(rules, result.state)
        changes["clock"] = clock.press(room.table.clock, running, seat, acting, grants, now)
    return changes, events


def decision_times(rules: AnyRules, state: Any) -> clock.Grants:
    """Return the time each seat has for its present decision, where the rules set one."""
    if rules.seats == 2:
        return rules.allowance(state, _FIRST), rules.allowance(state, _SECOND)
    return tuple([rules.allowance(state, seat) for seat in SEATS[: rules.seats]])


def end_without_move(rules: AnyRules, room: AnyRoom, outcome: Outcome, now: Millis) -> Change:
    """End the game without a move."""
    changes: dict[str, Any] = {"position_version": room.version + 1}
    events: list[AddressedEvent] = []
    write_end(rules, room, outcome, now, changes, events)
    return changes, events


def write_end(
    rules: AnyRules,
    room: AnyRoom,
    outcome: Outcome,
    now: Millis,
    changes: dict[str, Any],
    events: list[AddressedEvent],
) -> None:
    """Write the end of the game into the changes; reveal its seed and its hidden information."""
    stopped = None if room.clock is None else clock.stop(room.clock, now)
    changes.update(phase=Phase.OVER, result=outcome, offers=(), declined=(), clock=stopped)
    events.append(AddressedEvent(room_events.GameOver(outcome.winners, outcome.reason, room.seed.hex())))
    if rules.hidden(room.options):
        events += position_events(
            rules, room.options, changes.get("state", room.state), room_events.SecretsRevealed, over=True
        )


def write_start(
    rules: AnyRules,
    room: AnyRoom,
    seats: Seats,
    now: Millis,
    entropy: bytes,
    changes: dict[str, Any],
    events: list[AddressedEvent],
    *,
    host_data: bytes = b"",
    rematch: bool = False,
) -> None:
    """Write the start of a new game into the changes."""
    # The first game uses the seed committed when the room was opened, before players added entropy.
    # A revealed seed is never used again.
    seed = entropy if room.match else room.seed
    if len(seed) != SEED_BYTES:
        raise IllegalCommand(Refusal.UNAVAILABLE)
    entropy_parts = () if room.match else tuple(taken.player_entropy for taken in seats if taken is not None)
    key = game_key(seed, entropy_parts)
    random = Random(key)
    sees_hidden = tuple(
        Seat(seat) for seat, taken in enumerate(seats) if taken is not None and taken.sees_hidden
    )
    state = rules.deal(room.options, random, room.state, StartConditions(rematch, host_data, sees_hidden))
    # A disconnected player gets the whole time again: the game has just started.
    seats = tuple(
        taken and (taken if taken.disconnected_at is None else replace(taken, disconnected_at=now))
        for taken in seats
    )
    match, committed = room.match + 1, commitment(seed)
    events += position_events(
        rules, room.options, state, lambda position: room_events.GameStarted(match, committed, position)
    )
    events += disconnect_events(seats, room.table.disconnect_timeout)
    plan = room.table.clock
    changes.update(
        phase=PLAYING,
        seats=seats,
        match=match,
        seed=seed,
        random_key=key,
        random_position=random.position,
        state=state,
        position_version=room.version + 1,
        offers=(),
        declined=(),
        undos=(),
        result=None,
        clock=None
        if plan is None
        else clock.start(plan, decision_times(rules, state), rules.to_act(state), now),
    )


def position_events(
    rules: AnyRules, options: Any, state: Any, make_event: Callable[[Struct], Event], *, over: bool = False
) -> list[AddressedEvent]:
    """Return one event for all or, in a game with hidden information, one for each viewer."""
    if not rules.hidden(options):
        return [AddressedEvent(make_event(rules.view(state, SPECTATOR)))]
    viewers = [*(Seat(seat) for seat in range(rules.seats)), SPECTATOR]
    return [AddressedEvent(make_event(rules.view(state, viewer, over=over)), (viewer,)) for viewer in viewers]


def disconnect_events(seats: Seats, timeout: int) -> list[AddressedEvent]:
    """Return an event with the forfeit time of each disconnected player."""
    return [
        AddressedEvent(
            room_events.Disconnected(
                Seat(seat), Millis(taken.disconnected_at + timeout * 1000) if timeout else None
            )
        )
        for seat, taken in enumerate(seats)
        if taken is not None and taken.disconnected_at is not None and not taken.reserved
    ]


def write_undo(
    rules: AnyRules,
    room: AnyRoom,
    seat: Seat,
    now: Millis,
    changes: dict[str, Any],
    events: list[AddressedEvent],
) -> None:
    """Write the position before a seat's last move into the changes."""
    state = rules.undo(room.state, seat)
    if state is None:
        raise IllegalCommand(Refusal.NOTHING_TO_UNDO)
    events += position_events(rules, room.options, state, room_events.MoveUndone)
    before = room.undos or (0,) * rules.seats
    changes["undos"] = tuple([count + (number == seat) for number, count in enumerate(before)])
    write_position(rules, room, state, now, changes)


def write_swap(
    rules: AnyRules, room: AnyRoom, now: Millis, changes: dict[str, Any], events: list[AddressedEvent]
) -> None:
    """Write the position with the sides swapped into the changes."""
    state = rules.swap(room.state)
    if state is None:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    events += position_events(rules, room.options, state, room_events.SidesSwapped)
    write_position(rules, room, state, now, changes)


def write_position(rules: AnyRules, room: AnyRoom, state: Any, now: Millis, changes: dict[str, Any]) -> None:
    """Write a position that no move led to into the changes, and start the clocks for it."""
    changes["state"] = state
    if room.clock is not None and room.table.clock is not None:
        acting, grants = rules.to_act(state), decision_times(rules, state)
        pressed = clock.press(room.table.clock, room.clock, SYSTEM, acting, grants, now)
        # No move was made: a free first move stays free.
        changes["clock"] = replace(pressed, free=room.clock.free)
