/** Which stones are shown while stepping through the moves. */

import * as moves from "../../boardKit/moveNavigation";
import type { Scene } from "../gameInterface";

export type GomokuScene = Scene<"gomoku">;

const totalOf = ({ position }: GomokuScene) => position?.moves.length ?? 0;

/** Return which move is shown. */
export const shownMove = (scene: GomokuScene): moves.ShownMove => moves.shownMove(scene, totalOf(scene));

/** Show another move; the last one is the current position. */
export const showMove = (scene: GomokuScene, step: number): void => moves.showMove(scene, totalOf(scene), step);
