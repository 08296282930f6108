/** Small things to know about the games' moves. */

import type { AnyMove, Refusal } from "../wire";

/** Tell whether a refused move needs no words: somebody else was quicker, and nothing is lost. */
export function forgives(move: AnyMove, code: Refusal): boolean {
  const idle = move.do === "next" || move.do === "pass";
  return idle && (code === "stale" || code === "not_your_turn" || code === "not_playing");
}
