"""Clocks as values: budgets, increments and deadlines. Nothing ticks; `deadline` says when to check."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Seat

DAY = 24 * 60 * 60 * 1000
Grants = tuple[int | None, ...]


class ClockPlan(Struct, frozen=True):
    """How time is given, in milliseconds. `main`: one budget for all or one per seat; 0 is unlimited.

    `move`: limit of every single move. `first_free`: the first move is not charged and earns nothing.
    """

    main: tuple[int, ...] = (0,)
    increment: int = 0
    move: int = 0
    first_free: bool = False


class Clock(Struct, frozen=True):
    """The time each seat has left (None: unlimited) and since when its clock runs (None: stopped).

    A `since` in the future is a head start: no time is charged before it. A seat with a grant has that
    much time for the present decision, and its budget is not charged. While `free`, the first move is
    not charged; it may take a day.
    """

    left: tuple[int | None, ...]
    since: tuple[Millis | None, ...]
    grants: Grants
    free: bool = False


def limited(plan: ClockPlan) -> bool:
    """Tell whether this plan limits the time of any seat."""
    return plan.move > 0 or any(plan.main)


def start(plan: ClockPlan, grants: Grants, acting: Sequence[Seat], now: Millis) -> Clock:
    """Return a clock with full budgets; those of the acting seats run."""
    seats = len(grants)
    mains = plan.main if len(plan.main) == seats else plan.main[:1] * seats
    return Clock(
        left=tuple(main or None for main in mains),
        since=tuple(now if seat in acting else None for seat in range(seats)),
        grants=grants,
        free=plan.first_free,
    )


def press(
    plan: ClockPlan, clock: Clock, mover: Seat, acting: Sequence[Seat], grants: Grants, now: Millis
) -> Clock:
    """Return the clock after a move: elapsed time charged, increment added, the next clocks running."""
    left, since = [*clock.left], [*clock.since]
    seat = 0
    for began in clock.since:
        if began is None:
            if seat in acting:
                since[seat] = now
        elif seat == mover or seat not in acting or clock.grants[seat] != grants[seat]:
            since[seat] = now if seat in acting else None
            budget = _left(clock, seat, now)
            if seat == mover and budget is not None and clock.grants[seat] is None and not clock.free:
                budget += plan.increment
            left[seat] = budget
        # Otherwise the seat continues the same decision.
        seat += 1  # noqa: SIM113 - `enumerate` costs more than the rest of such a loop
    return Clock(tuple(left), tuple(since), grants)


def stop(clock: Clock, now: Millis) -> Clock:
    """Return the clock with all elapsed time charged and no clock running."""
    stopped = (None,) * len(clock.since)
    return Clock(remaining(clock, now), stopped, stopped)


def remaining(clock: Clock, now: Millis) -> tuple[int | None, ...]:
    """Return the time each seat has left now."""
    return tuple([_left(clock, seat, now) for seat in range(len(clock.left))])


def _left(clock: Clock, seat: int, now: int) -> int | None:
    budget, began = clock.left[seat], clock.since[seat]
    if budget is None or began is None or began >= now or clock.free or clock.grants[seat] is not None:
        return budget
    return budget - now + began if now - began < budget else 0


def seat_deadline(plan: ClockPlan, clock: Clock, seat: int) -> int | None:
    """Return when the time of this seat runs out; None if its clock is stopped or unlimited."""
    began, grant = clock.since[seat], clock.grants[seat]
    if began is None:
        return None
    limit = clock.left[seat] if grant is None else grant
    if clock.free and grant is None and limit is not None:
        limit = DAY
    if plan.move and grant is None and (limit is None or plan.move < limit):
        limit = plan.move
    return None if limit is None else began + limit


def deadline(plan: ClockPlan, clock: Clock) -> int | None:
    """Return the earliest time at which a seat runs out of time."""
    soonest: int | None = None
    seat = 0
    for began in clock.since:
        if began is not None:
            until = seat_deadline(plan, clock, seat)
            if until is not None and (soonest is None or until < soonest):
                soonest = until
        seat += 1  # noqa: SIM113 - as in `press`
    return soonest


def resume_after_outage(clock: Clock, down: Millis, now: Millis, head_start: Millis) -> Clock:
    """Return the clock after an outage: charged up to `down`, running again after a head start."""
    return replace(
        clock,
        left=remaining(clock, down),
        since=tuple(None if began is None else Millis(now + head_start) for began in clock.since),
    )


def end_head_start(clock: Clock, seat: Seat, now: Millis) -> Clock:
    """Return the clock with the head start of this seat ended."""
    began = clock.since[seat]
    if began is None or began <= now:
        return clock
    return replace(clock, since=(*clock.since[:seat], now, *clock.since[seat + 1 :]))
