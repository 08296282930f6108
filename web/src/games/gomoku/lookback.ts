/** Looking back: which stones are shown while the reader turns the pages of the record. */

import type { Scene } from "../game";

export type GomokuScene = Scene<"gomoku">;

export interface Page {
  /** How many stones are shown. */
  step: number;
  total: number;
  /** Not all of them. */
  earlier: boolean;
  /** Stones were played since the reader began to look back. */
  news: boolean;
}

/** Return what the reader looks at. */
export function pageOf({ position, back }: GomokuScene): Page {
  const total = position?.moves.length ?? 0;
  const earlier = back !== null && back.step < total;
  return { step: earlier ? back.step : total, total, earlier, news: earlier && total > back.total };
}

/** Turn to another page; the last one is the game as it stands. */
export function turnTo(scene: GomokuScene, step: number): void {
  const { total, earlier } = pageOf(scene);
  if (step >= total) scene.look(null);
  else scene.look({ step: Math.max(0, step), total: earlier && scene.back ? scene.back.total : total });
}
