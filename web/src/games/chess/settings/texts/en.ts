/** Texts for the settings of chess, English. */

import type { ChessSettingsTexts } from "./types";

export const texts: ChessSettingsTexts = {
  board: "Chess board",
  boards: { walnut: "Walnut", maple: "Maple", jade: "Jade", slate: "Slate", ink: "Ink" },
  pieces: "Chess pieces",
  sets: { classic: "Classic", solid: "Solid", letters: "Letters" },
};
