/** Small things to know about the games' moves. */

import type { AnyMove, Refusal } from "../wire";

/** Tell whether a refused move needs no words: both players asked for the same thing. */
export function forgives(move: AnyMove, code: Refusal): boolean {
  return move.do === "next" && (code === "stale" || code === "not_your_turn" || code === "not_playing");
}
