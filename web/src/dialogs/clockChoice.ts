/** The clock of a new table as chosen: presets, or custom minutes and seconds. */

import type { GameParts } from "../games/gameInterface";
import type { ClockPlanView, GameName, Seat } from "../net/protocol";

/** Choice of a clock: a preset or custom minutes and seconds. */
export interface ClockChoice {
  /** Index of the preset; -1: custom. */
  preset: number;
  minutes: number;
  /** Minutes of the opponent, if they differ. */
  other: number | null;
  seconds: number;
  /** Whether lag is compensated; absent: as the server does by default. */
  lagCompensation?: boolean;
}

export const DEFAULT_CHOICE: ClockChoice = { preset: 0, minutes: 10, other: null, seconds: 5 };

const minutesPlan = (main: number, seconds: number): ClockPlanView => ({ main: [main * 60_000], increment: seconds * 1000 });
const perMovePlan = (seconds: number): ClockPlanView => ({ move: seconds * 1000 });

/** Null: no clock. */
const DEFAULT_PRESETS: readonly (ClockPlanView | null)[] = [
  null, minutesPlan(1, 2), minutesPlan(3, 2), minutesPlan(5, 5), minutesPlan(10, 10), perMovePlan(30), perMovePlan(60),
];

/** Return the clock presets of a game. */
export function clockPresets(parts: GameParts<GameName> | undefined): readonly (ClockPlanView | null)[] {
  return parts?.clockPresets ?? DEFAULT_PRESETS;
}

/** Return the chosen clock plan for a player in this seat. */
export function clockPlanOf(choice: ClockChoice, plans: readonly (ClockPlanView | null)[], seat: Seat): ClockPlanView | null {
  const plan = timesOf(choice, plans, seat);
  const chosen = choice.lagCompensation;
  return plan === null || chosen === undefined || !mayCompensateLag(plan) ? plan : { ...plan, lag_compensation: chosen };
}

function timesOf({ preset, minutes, other, seconds }: ClockChoice, plans: readonly (ClockPlanView | null)[], seat: Seat): ClockPlanView | null {
  if (preset >= 0) return plans[preset] ?? null;
  const [mine, theirs] = [minutes * 60_000, (other ?? minutes) * 60_000];
  return { main: mine === theirs ? [mine] : seat === 0 ? [mine, theirs] : [theirs, mine], increment: seconds * 1000 };
}

const SHORT_CLOCK = 10 * 60_000;
export const mayCompensateLag = ({ main = [] }: ClockPlanView): boolean => main.some((budget) => budget > 0);

/** Tell whether the server compensates lag with this plan. */
export function compensatesLag(plan: ClockPlanView): boolean {
  return plan.lag_compensation ?? (mayCompensateLag(plan) && (plan.main ?? []).every((budget) => budget < SHORT_CLOCK));
}
