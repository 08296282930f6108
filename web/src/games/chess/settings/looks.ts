/** Looks of chess: colours of the board, and drawings of the pieces. */

import { computed } from "@preact/signals";
import { choice } from "../../../settings/setting";
import classic from "../board/pieces.svg";
import letters from "./letters.svg";
import solid from "./solid.svg";

export const BOARDS = ["walnut", "maple", "jade", "slate", "ink"] as const;
export const PIECES = ["classic", "solid", "letters"] as const;

export const board = choice("chess-board", BOARDS);
export const pieces = choice("chess-pieces", PIECES);

/** The picture with all pieces. */
export const pieceSheet = computed(() => ({ classic, letters, solid })[pieces.value]);
