/** Texts for the settings of gomoku, English. */

import type { GomokuSettingsTexts } from "./types";

export const texts: GomokuSettingsTexts = {
  board: "Gomoku board",
  boards: { kaya: "Kaya", bamboo: "Bamboo", slate: "Slate" },
};
