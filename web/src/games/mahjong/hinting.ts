/** Which hints a table allows: all of them, none, or each by itself. */

import type { MahjongHinting } from "../../wire";

export type Hint = keyof MahjongHinting;
export const HINTS: readonly Hint[] = ["waits", "keeps", "shanten"];

/** Return which hints are allowed, with nothing left out. */
export function allowed(hints: boolean | MahjongHinting = true): Readonly<Record<Hint, boolean>> {
  if (typeof hints === "boolean") return { waits: hints, keeps: hints, shanten: hints };
  return { waits: true, keeps: true, shanten: true, ...hints };
}

/** Return how a table is told which hints it allows, in the shortest way. */
export function told(hints: Readonly<Record<Hint, boolean>>): boolean | MahjongHinting {
  const on = HINTS.filter((hint) => hints[hint]);
  return on.length === HINTS.length ? true : on.length === 0 ? false : hints;
}
