/** Which position is shown while stepping through the moves. */

import type { Scene } from "../gameInterface";
import { fullPosition, isFogged } from "./position";

export type ChessScene = Scene<"chess">;

export interface ShownMove {
  /** Number of moves shown. */
  step: number;
  total: number;
  /** An earlier position is shown. */
  earlier: boolean;
  /** Moves were played since stepping began. */
  newMoves: boolean;
  /** In fog, stepping is disabled until the game is over. */
  closed: boolean;
}

/** Return which move is shown. */
export function shownMove({ position, cursor }: ChessScene): ShownMove {
  const total = position ? fullPosition(position).moves.length : 0;
  const closed = position === null || isFogged(position);
  const earlier = !closed && cursor !== null && cursor.step < total;
  return { step: earlier ? cursor.step : total, total, earlier, newMoves: earlier && total > cursor.total, closed };
}

/** Show another move; the last one is the current position. */
export function showMove(scene: ChessScene, step: number): void {
  const { total, earlier, closed } = shownMove(scene);
  if (closed || step >= total) scene.setCursor(null);
  else scene.setCursor({ step: Math.max(0, step), total: earlier && scene.cursor ? scene.cursor.total : total });
}
