"""Budgets and instants: nothing ticks, `deadline` says when to look again."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from .ids import Millis, Seat

DAY = 24 * 60 * 60 * 1000
Span = Annotated[int, Meta(ge=0, le=DAY)]
Grants = tuple[int | None, ...]


class ClockPlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How time is given. `main` has one entry for all or one per seat; 0 means unlimited.

    `first_free`: the first move of the game costs nothing and earns nothing.
    """

    main: tuple[Span, ...] = (0,)
    increment: Span = 0
    move: Span = 0
    first_free: bool = False


class Clock(Struct, frozen=True):
    """What each seat has left (None: unlimited) and since when it has been thinking (None: not).

    An instant in the future is a head start: nothing is charged before it. A seat with a grant
    has that much time for this one decision, and its budget is not touched. While `free` the
    first move is being made, which costs nothing; it may take a day.
    """

    left: tuple[int | None, ...]
    since: tuple[Millis | None, ...]
    grants: Grants
    free: bool = False


def limited(plan: ClockPlan) -> bool:
    """Tell whether this plan limits anybody at all."""
    return plan.move > 0 or any(plan.main)


def start(plan: ClockPlan, grants: Grants, acting: Sequence[Seat], now: Millis) -> Clock:
    """Return full budgets with the acting seats thinking from now on."""
    seats = len(grants)
    mains = plan.main if len(plan.main) == seats else plan.main[:1] * seats
    return Clock(
        left=tuple(main or None for main in mains),
        since=tuple(now if seat in acting else None for seat in range(seats)),
        grants=grants,
        free=plan.first_free,
    )


def punch(
    plan: ClockPlan, clock: Clock, mover: Seat, acting: Sequence[Seat], grants: Grants, now: Millis
) -> Clock:
    """Return the clock after `mover` acted: elapsed time charged, increment added, next seats thinking."""
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
        # Else the same decision goes on.
        seat += 1  # noqa: SIM113 - `enumerate` costs more than the rest of such a loop
    return Clock(tuple(left), tuple(since), grants)


def stop(clock: Clock, now: Millis) -> Clock:
    """Return the clock with everybody's elapsed time charged and nobody thinking."""
    nobody = (None,) * len(clock.since)
    return Clock(remaining(clock, now), nobody, nobody)


def remaining(clock: Clock, now: Millis) -> tuple[int | None, ...]:
    """Return what each seat has left at this moment."""
    return tuple([_left(clock, seat, now) for seat in range(len(clock.left))])


def _left(clock: Clock, seat: int, now: int) -> int | None:
    budget, began = clock.left[seat], clock.since[seat]
    if budget is None or began is None or began >= now or clock.free or clock.grants[seat] is not None:
        return budget
    return budget - now + began if now - began < budget else 0


def due(plan: ClockPlan, clock: Clock, seat: int) -> int | None:
    """Return the moment at which this seat runs out, if it is running out at all."""
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
    """Return the first moment at which any seat runs out."""
    soonest: int | None = None
    seat = 0
    for began in clock.since:
        if began is not None:
            until = due(plan, clock, seat)
            if until is not None and (soonest is None or until < soonest):
                soonest = until
        seat += 1  # noqa: SIM113 - as in `punch`
    return soonest


def thaw(clock: Clock, down: Millis, now: Millis, head_start: Millis) -> Clock:
    """Return the clock after an outage: charged up to `down`, running again after a head start."""
    return replace(
        clock,
        left=remaining(clock, down),
        since=tuple(None if began is None else Millis(now + head_start) for began in clock.since),
    )


def hurry(clock: Clock, seat: Seat, now: Millis) -> Clock:
    """Return the clock with this seat's head start ended: its person is back."""
    began = clock.since[seat]
    if began is None or began <= now:
        return clock
    return replace(clock, since=(*clock.since[:seat], now, *clock.since[seat + 1 :]))
