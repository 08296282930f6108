/** Which move is shown while stepping through the moves of a game. */

import type { MoveCursor, Status } from "../games/gameInterface";
import type { Room } from "../net/roomReducer";

/** The part of a scene that stepping needs. */
export interface CursorScene {
  room: Pick<Room, "phase">;
  cursor: MoveCursor | null;
  setCursor: (cursor: MoveCursor | null) => void;
}

export interface ShownMove {
  /** Number of moves shown. */
  step: number;
  total: number;
  /** An earlier position is shown. */
  earlier: boolean;
  /** Moves were played since stepping began. */
  newMoves: boolean;
}

export interface EarlierTexts {
  earlier: (step: number, total: number, newMoves: boolean) => string;
  backToGame: string;
  end: string;
}

/** Return which move is shown, of this many. */
export function shownMove({ cursor }: Pick<CursorScene, "cursor">, total: number): ShownMove {
  const earlier = cursor !== null && cursor.step < total;
  return { step: earlier ? cursor.step : total, total, earlier, newMoves: earlier && total > cursor.total };
}

/** Show another move; the last one is the current position. */
export function showMove(scene: Pick<CursorScene, "cursor" | "setCursor">, total: number, step: number): void {
  const { earlier } = shownMove(scene, total);
  if (step >= total) scene.setCursor(null);
  else scene.setCursor({ step: Math.max(0, step), total: earlier && scene.cursor ? scene.cursor.total : total });
}

/** Return the status while an earlier position is shown, with a button to the current one; otherwise null. */
export function earlierStatus(scene: CursorScene, total: number, text: EarlierTexts): Status | null {
  const { step, earlier, newMoves } = shownMove(scene, total);
  if (!earlier) return null;
  const label = scene.room.phase === "playing" ? text.backToGame : text.end;
  return { text: text.earlier(step, total, newMoves), mine: false, button: { label, press: () => scene.setCursor(null) } };
}
