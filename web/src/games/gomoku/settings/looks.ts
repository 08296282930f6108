/** Looks of gomoku: the board. */

import { choice } from "../../../settings/setting";

export const BOARDS = ["kaya", "bamboo", "slate"] as const;

export const board = choice("gomoku-board", BOARDS);
