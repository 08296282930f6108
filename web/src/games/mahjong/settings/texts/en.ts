/** Texts for the settings of mahjong, English. */

import type { MahjongSettingsTexts } from "./types";

export const texts: MahjongSettingsTexts = {
  tiles: "Mahjong tiles",
  faces: { ivory: "Ivory", bamboo: "Bamboo", night: "Night" },
  numbers: "Numbers on tiles",
  numbersNote: "A number or letter in the corner of each tile",
  table: "Mahjong table",
  tables: { green: "Green", blue: "Blue", plum: "Plum" },
};
