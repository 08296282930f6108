"""Clocks as values: budgets, increments and deadlines. Nothing ticks; `deadline` says when to check."""

from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Seat

DAY = 24 * 60 * 60 * 1000
MAX_COMPENSATION: Final = 500
"""Most milliseconds of lag that one move is not charged for."""
COMPENSATION_QUOTA: Final = 2_000
"""Milliseconds of compensation that a seat has at the start of a game, and at most."""
COMPENSATION_REFILL: Final = 200
"""Milliseconds that each move of a seat adds to its quota."""
Grants = tuple[int | None, ...]
T = TypeVar("T")


class ClockPlan(Struct, frozen=True):
    """How time is given, in milliseconds. `main`: one budget for all or one per seat; 0 is unlimited.

    `move`: limit of every single move. `first_free`: the first move is not charged and earns nothing.
    `lag_compensation`: a move is not charged for its lag, within a quota.
    """

    main: tuple[int, ...] = (0,)
    increment: int = 0
    move: int = 0
    first_free: bool = False
    lag_compensation: bool = False


class Clock(Struct, frozen=True):
    """The time each seat has left (None: unlimited) and since when its clock runs (None: stopped).

    A `since` in the future is a head start: no time is charged before it. A seat with a grant has that
    much time for the present decision, and its budget is not charged. While `free`, the first move is
    not charged; it may take a day.

    `lags` (None: not known), `compensated`: of the last move of each seat. `quotas`: what may be compensated
    later. All three are empty until a lag was measured.
    """

    left: tuple[int | None, ...]
    since: tuple[Millis | None, ...]
    grants: Grants
    free: bool = False
    lags: tuple[int | None, ...] = ()
    compensated: tuple[int, ...] = ()
    quotas: tuple[int, ...] = ()


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
    return Clock(tuple(left), tuple(since), grants, False, clock.lags, clock.compensated, clock.quotas)


def stop(clock: Clock, now: Millis) -> Clock:
    """Return the clock with all elapsed time charged and no clock running."""
    stopped = (None,) * len(clock.since)
    return Clock(remaining(clock, now), stopped, stopped, False, clock.lags, clock.compensated, clock.quotas)


def remaining(clock: Clock, now: Millis) -> tuple[int | None, ...]:
    """Return the time each seat has left now."""
    return tuple([_left(clock, seat, now) for seat in range(len(clock.left))])


def _left(clock: Clock, seat: int, now: int) -> int | None:
    budget, began = clock.left[seat], clock.since[seat]
    if budget is None or began is None or began >= now or clock.free or clock.grants[seat] is not None:
        return budget
    return budget - now + began if now - began < budget else 0


def compensate(plan: ClockPlan, clock: Clock, mover: Seat, lag: int | None, now: Millis) -> Clock:
    """Return the clock with the lag of a move written down and, within the quota, not charged.

    The time of the move is charged from a later start. None: the lag of this move is not known.
    """
    seats = len(clock.left)
    began, quotas = clock.since[mover], clock.quotas or (COMPENSATION_QUOTA,) * seats
    compensated, since = 0, clock.since
    if (
        plan.lag_compensation
        and lag is not None
        and began is not None
        and clock.grants[mover] is None
        and not clock.free
    ):
        compensated = max(0, min(lag, MAX_COMPENSATION, quotas[mover], now - began))
        quota = min(quotas[mover] - compensated + COMPENSATION_REFILL, COMPENSATION_QUOTA)
        since = _with(since, mover, Millis(began + compensated))
        quotas = _with(quotas, mover, quota)
    return Clock(
        clock.left,
        since,
        clock.grants,
        clock.free,
        _with(clock.lags or (None,) * seats, mover, lag),
        _with(clock.compensated or (0,) * seats, mover, compensated),
        quotas,
    )


def _with(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the values with that of one seat replaced; most often it is the same as before."""
    if values[seat] == value:
        return values
    return (*values[:seat], value, *values[seat + 1 :])


def seat_deadline(plan: ClockPlan, clock: Clock, seat: int) -> int | None:
    """Return when a seat loses on time: when its time runs out and a move sent before must have arrived.

    None if its clock is stopped or unlimited. The lag of a move that is not here yet is taken as that of the
    last one.
    """
    until = out_of_time(plan, clock, seat)
    if until is None or not plan.lag_compensation or not clock.lags:
        return until
    last = clock.lags[seat]
    if clock.free or clock.grants[seat] is not None or last is None:
        return until
    return until + min(last, MAX_COMPENSATION, clock.quotas[seat])


def out_of_time(plan: ClockPlan, clock: Clock, seat: int) -> int | None:
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
