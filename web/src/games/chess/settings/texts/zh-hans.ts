/** Texts for the settings of chess, Simplified Chinese. */

import type { ChessSettingsTexts } from "./types";

export const texts: ChessSettingsTexts = {
  board: "国际象棋棋盘",
  boards: { walnut: "胡桃木", maple: "枫木", jade: "青玉", slate: "石板", ink: "水墨" },
  pieces: "国际象棋棋子",
  sets: { classic: "经典", solid: "实心", letters: "字母" },
};
