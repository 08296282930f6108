/** Looks of chess: colours of the board, and drawings of the pieces. */

import { choice } from "../../../settings/setting";

export const BOARDS = ["walnut", "maple", "jade", "slate", "ink"] as const;
export const PIECES = ["classic", "solid", "letters"] as const;

export const board = choice("chess-board", BOARDS);
export const pieces = choice("chess-pieces", PIECES);
