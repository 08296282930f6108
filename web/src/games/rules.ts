/** Small things to know about the games' moves. */

import type { Room } from "../room";
import type { AnyMove, Refusal } from "../wire";

/** Tell whether a table shows more when its game is over. */
export function hidSomething({ options }: Room): boolean {
  return ("fog" in options && options.fog === true) || ("mines" in options && Number(options.mines) > 0);
}

/** Tell whether a refused move needs no words: both players asked for the same thing. */
export function forgives(move: AnyMove, code: Refusal): boolean {
  return move.do === "next" && (code === "stale" || code === "not_your_turn" || code === "not_playing");
}
