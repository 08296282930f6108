/** Texts for the settings of mahjong, Traditional Chinese. */

import type { MahjongSettingsTexts } from "./types";

export const texts: MahjongSettingsTexts = {
  tiles: "麻將牌面",
  faces: { ivory: "象牙", bamboo: "竹背", night: "夜色" },
  numbers: "牌角數字",
  numbersNote: "每張牌的角上標數字或字母",
  table: "麻將桌布",
  tables: { green: "綠色", blue: "藍色", plum: "紫色" },
};
