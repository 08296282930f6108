/** Which hints a table allows. */

import type { MahjongAllowedHints } from "../../net/protocol";

export type Hint = keyof MahjongAllowedHints;
export const HINTS: readonly Hint[] = ["waits", "ready_discards", "shanten"];

/** Return the allowed hints with every default filled in. */
export function allowedHints(hints: boolean | MahjongAllowedHints = true): Readonly<Record<Hint, boolean>> {
  if (typeof hints === "boolean") return { waits: hints, ready_discards: hints, shanten: hints };
  return { waits: true, ready_discards: true, shanten: true, ...hints };
}

/** Return the shortest form of the hints option. */
export function hintsOption(hints: Readonly<Record<Hint, boolean>>): boolean | MahjongAllowedHints {
  const on = HINTS.filter((hint) => hints[hint]);
  return on.length === HINTS.length ? true : on.length === 0 ? false : hints;
}
