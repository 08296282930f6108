/** Which position is shown while stepping through the moves. */

import * as moves from "../../boardKit/moveNavigation";
import type { Scene } from "../gameInterface";
import { fullPosition, isFogged } from "./position";

export type ChessScene = Scene<"chess">;

export interface ShownMove extends moves.ShownMove {
  /** In fog, stepping is disabled until the game is over. */
  closed: boolean;
}

/** Return which move is shown. */
export function shownMove({ position, cursor }: ChessScene): ShownMove {
  const total = position ? fullPosition(position).moves.length : 0;
  const closed = position === null || isFogged(position);
  return { ...moves.shownMove({ cursor: closed ? null : cursor }, total), closed };
}

/** Show another move; the last one is the current position. */
export function showMove(scene: ChessScene, step: number): void {
  const { total, closed } = shownMove(scene);
  moves.showMove(scene, total, closed ? total : step);
}
