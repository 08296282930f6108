/** Texts for the settings of gomoku, Simplified Chinese. */

import type { GomokuSettingsTexts } from "./types";

export const texts: GomokuSettingsTexts = {
  board: "五子棋棋盘",
  boards: { kaya: "榧木", bamboo: "竹", slate: "青石" },
};
