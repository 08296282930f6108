/** Looks of chess: colours of the board, and drawings of the pieces. */

import { computed } from "@preact/signals";
import { look } from "../../../settings/looks";
import classic from "../board/pieces.svg";
import letters from "./letters.svg";
import solid from "./solid.svg";

export const BOARDS = ["walnut", "maple", "jade", "slate", "ink"] as const;
export const PIECES = ["classic", "solid", "letters"] as const;

const load = () => import("./looks.css");

export const board = look("chess-board", BOARDS, load);
export const pieces = look("chess-pieces", PIECES, load);

/** The picture with all pieces. */
export const pieceSheet = computed(() => ({ classic, letters, solid })[pieces.value]);
