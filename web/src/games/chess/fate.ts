/** What became of a die. */

import type { FullHand } from "./position";

export type Fate = "next" | "used" | "skipped" | "open";

/** Return what became of the die at this place. */
export function fate(hand: FullHand, index: number): Fate {
  const sign = hand.used[index] ?? ".";
  if (sign === "x") return "used";
  if (sign === "-") return "skipped";
  return !hand.free && hand.current === index ? "next" : "open";
}
