/** Looks of gomoku: the board. */

import { look } from "../../../settings/looks";

export const BOARDS = ["kaya", "bamboo", "slate"] as const;

export const board = look("gomoku-board", BOARDS, () => import("./looks.css"));
