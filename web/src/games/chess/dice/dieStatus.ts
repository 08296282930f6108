/** Whether a die is usable, used or skipped. */

import type { FullDice } from "../position";

export type DieStatus = "next" | "used" | "skipped" | "open";

/** Return the status of a die. */
export function dieStatus(hand: FullDice, index: number): DieStatus {
  const sign = hand.used[index] ?? ".";
  if (sign === "x") return "used";
  if (sign === "-") return "skipped";
  return !hand.free && hand.current === index ? "next" : "open";
}
