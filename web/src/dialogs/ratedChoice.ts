/** Whether a new table can be rated with the other choices, and what these are then. */

import type { GameParts } from "../games/gameInterface";
import type { AnyOptions, ClockPlanView, GameName } from "../net/protocol";
import { clockPlanOf, clockPresets } from "./clockChoice";
import { DEFAULT_FORFEIT_AFTER, type NewTableOptions } from "./newTableOptions";

export type RatedObstacle = "game" | "bots" | "clock" | "times" | "options";
type Parts = GameParts<GameName> | undefined;

/** Return why a table with these choices cannot be rated; null if it can. The server checks the same. */
export function ratedObstacle(parts: Parts, options: NewTableOptions): RatedObstacle | null {
  if (!parts?.ratedOptions) return "game";
  if (options.bot) return "bots";
  const plan = clockPlanOf(options.clock, clockPresets(parts), 0);
  if (plan === null) return "clock";
  if (!givesSameTime(plan)) return "times";
  return ratedOptions(parts, options.options) === null ? "options" : null;
}

/** Return the choices as they apply: those that a rated table does not allow are replaced, and only accounts play rated. */
export function withRatedRules(parts: Parts, options: NewTableOptions, account: boolean): NewTableOptions {
  const rated = options.rated && account && ratedObstacle(parts, options) === null;
  if (!rated) return { ...options, rated: false };
  const own = ratedOptions(parts, options.options) ?? options.options;
  const absence = { absencePolicy: "forfeit", forfeitAfter: DEFAULT_FORFEIT_AFTER } as const;
  return { ...options, rated, options: own, undoAllowed: false, seesHiddenAllowed: false, ...absence };
}

/** Return the category in which such a table would count; empty if it cannot be rated. */
export function chosenCategory(parts: Parts, options: NewTableOptions): string {
  const plan = clockPlanOf(options.clock, clockPresets(parts), 0);
  return plan && ratedObstacle(parts, options) === null ? (parts?.ratingCategory?.(options.options, plan) ?? "") : "";
}

/** Return the choices for people only: the level of the computer may be left from an earlier table. */
export const withoutBots = (options: NewTableOptions): NewTableOptions => ({ ...options, bot: "", bots: null });

const givesSameTime = ({ main = [] }: ClockPlanView): boolean => new Set(main).size < 2;

function ratedOptions(parts: Parts, options: AnyOptions): AnyOptions | null {
  return parts?.ratedOptions?.(options) ?? null;
}
