/** Which stones are shown while stepping through the moves. */

import type { Scene } from "../gameInterface";

export type GomokuScene = Scene<"gomoku">;

export interface ShownMove {
  /** Number of stones shown. */
  step: number;
  total: number;
  /** An earlier position is shown. */
  earlier: boolean;
  /** Moves were played since stepping began. */
  newMoves: boolean;
}

/** Return which move is shown. */
export function shownMove({ position, cursor }: GomokuScene): ShownMove {
  const total = position?.moves.length ?? 0;
  const earlier = cursor !== null && cursor.step < total;
  return { step: earlier ? cursor.step : total, total, earlier, newMoves: earlier && total > cursor.total };
}

/** Show another move; the last one is the current position. */
export function showMove(scene: GomokuScene, step: number): void {
  const { total, earlier } = shownMove(scene);
  if (step >= total) scene.setCursor(null);
  else scene.setCursor({ step: Math.max(0, step), total: earlier && scene.cursor ? scene.cursor.total : total });
}
