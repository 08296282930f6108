/** Looking back: which position is shown while the reader turns the pages of the record. */

import type { Scene } from "../game";
import { full, isFogged } from "./position";

export type ChessScene = Scene<"chess">;

export interface Page {
  /** How many moves are shown. */
  step: number;
  total: number;
  /** Not all of them. */
  earlier: boolean;
  /** Moves were made since the reader began to look back. */
  news: boolean;
  /** In fog there is nothing to look back at before the game is over. */
  closed: boolean;
}

/** Return what the reader looks at. */
export function pageOf({ position, back }: ChessScene): Page {
  const total = position ? full(position).moves.length : 0;
  const closed = position === null || isFogged(position);
  const earlier = !closed && back !== null && back.step < total;
  return { step: earlier ? back.step : total, total, earlier, news: earlier && total > back.total, closed };
}

/** Turn to another page; the last one is the game as it stands. */
export function turnTo(scene: ChessScene, step: number): void {
  const { total, earlier, closed } = pageOf(scene);
  if (closed || step >= total) scene.look(null);
  else scene.look({ step: Math.max(0, step), total: earlier && scene.back ? scene.back.total : total });
}
