/** When a clock warns that time is running out. */

import type { ClockPlanView, Seat } from "../../net/protocol";

/** 0: no warning, 1: below 20 seconds, 2: below 10 seconds. */
export type LowTime = 0 | 1 | 2;

/** A limit per move starts again with every move: it warns only if it is that many times longer. */
const MOVE_LIMIT_FACTOR = 2.5;
/** A clock that an increment lifts less than this above a limit does not warn again at it, in milliseconds. */
const MARGIN = 1_000;

/** Return the time with which a seat starts, as far as warnings are concerned; 0 without a clock. */
export function startTime({ main = [], move = 0 }: ClockPlanView, seat: Seat): number {
  const [whole, single] = [main[seat] || main[0] || 0, move / MOVE_LIMIT_FACTOR];
  return whole && single ? Math.min(whole, single) : whole || single;
}

/** Return the warning for the time left; a clock that starts below a limit never warns at it. */
export function lowTime(left: number, start: number): LowTime {
  const isBelow = (limit: number) => left < limit && limit < start;
  return isBelow(10_000) ? 2 : isBelow(20_000) ? 1 : 0;
}

/** Return the warning that holds from now on; it is a new one if it is higher than before. `before`: null at first. */
export function nextLowTime(before: LowTime | null, left: number, start: number): LowTime {
  const now = lowTime(left, start);
  return before === null || now > before ? now : (Math.min(before, lowTime(left - MARGIN, start)) as LowTime);
}
