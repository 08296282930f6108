"""A plain move in one pass: the result of `general_step` for nearly all moves, with fewer calls and objects.

A move is plain in a game of two seats whose moves draw no randomness, if there are no offers and the game
goes on. A law (`qipai.testing`) compares both ways after every command of every game.
"""

from typing import Final

from qipai.kernel.clock import Clock, ClockPlan, compensate, out_of_time, press
from qipai.kernel.commands import Play
from qipai.kernel.game_interface.rules_interface import AnyRules, IllegalCommand
from qipai.kernel.ids import Millis, Nonce, Seat
from qipai.kernel.repeated_commands import NONCES_KEPT
from qipai.kernel.room import PLAYING, Advanced, AnyRoom, Refused, Room

from .game_steps import NO_RANDOMNESS, decision_times

_NO_GRANTS: Final = (None, None)
_OLDEST: Final = 1 - NONCES_KEPT


def plain_move(
    rules: AnyRules, room: AnyRoom, seat: Seat, command: Play, now: Millis, nonce: Nonce, at_version: int
) -> Advanced | Refused | None:
    """Return the result of a plain move, or None if `general_step` must decide."""
    seats, nonces, before = room.seats, room.nonces, room.state
    if (
        room.phase is not PLAYING
        or room.offers
        or now < room.at
        or len(seats) != 2
        or seat > 1
        or seats[seat] is None
        or 0 < at_version < room.position_version
        or nonce in nonces[seat]
        or seat not in rules.to_act(before)
        or rules.draws(room.options)
    ):
        return None
    clock, plan, lag = room.clock, room.table.clock, command.lag
    if clock is not None:
        if plan is None:
            return None
        if lag is not None or clock.lags:
            clock = compensate(plan, clock, seat, lag, now)
        until = out_of_time(plan, clock, seat)
        if until is not None and until <= now:
            return None
    try:
        result = rules.play(before, seat, command.move, NO_RANDOMNESS)
    except IllegalCommand as error:
        return Refused(error.code)
    state = result.state
    if not result.ends_decision or rules.outcome(state) is not None:
        return None
    if clock is not None and plan is not None:
        clock = _pressed(rules, state, plan, clock, seat, now)
    if nonce:
        first, second, others = nonces
        if seat:
            nonces = (first, (*second[_OLDEST:], nonce), others)
        else:
            nonces = ((*first[_OLDEST:], nonce), second, others)
    version = room.version + 1
    after = Room(
        room.id,
        room.code,
        room.game,
        room.options,
        room.table,
        room.opened,
        now,
        room.seed,
        seats,
        nonces,
        version,
        version if result.changes_position else room.position_version,
        PLAYING,
        room.match,
        state,
        room.random_key,
        room.random_position,
        clock,
        (),
        room.offered,
        room.declined,
        room.chat,
        room.result,
        room.host,
        room.phrases_only,
        room.undos,
    )
    return Advanced(after, result.events, seat, nonce)


def _pressed(
    rules: AnyRules, state: object, plan: ClockPlan, clock: Clock, mover: Seat, now: Millis
) -> Clock:
    """Return the clock after a move; quickly if the two seats move in turn and have no other time limits."""
    left, since, grants = clock.left, clock.since, clock.grants
    acting, times = rules.to_act(state), decision_times(rules, state)
    began, other = since[mover], 1 - mover
    if (
        began is None
        or since[other] is not None
        or len(acting) != 1
        or acting[0] != other
        or grants != _NO_GRANTS
        or times != _NO_GRANTS
    ):
        return press(plan, clock, mover, acting, times, now)
    budget = left[mover]
    if budget is not None and not clock.free:
        if began < now:
            budget = budget - now + began if now - began < budget else 0
        budget += plan.increment
    if mover:
        left, since = (left[0], budget), (now, None)
    else:
        left, since = (budget, left[1]), (None, now)
    return Clock(left, since, grants, False, clock.lags, clock.compensated, clock.quotas)
