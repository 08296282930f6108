/** Texts for the settings of chess, Traditional Chinese. */

import type { ChessSettingsTexts } from "./types";

export const texts: ChessSettingsTexts = {
  board: "西洋棋棋盤",
  boards: { walnut: "胡桃木", maple: "楓木", jade: "青玉", slate: "石板", ink: "水墨" },
  pieces: "西洋棋棋子",
  sets: { classic: "經典", solid: "實心", letters: "字母" },
};
