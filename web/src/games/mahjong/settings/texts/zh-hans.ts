/** Texts for the settings of mahjong, Simplified Chinese. */

import type { MahjongSettingsTexts } from "./types";

export const texts: MahjongSettingsTexts = {
  tiles: "麻将牌面",
  faces: { ivory: "象牙", bamboo: "竹背", night: "夜色" },
  numbers: "牌角数字",
  numbersNote: "每张牌的角上标数字或字母",
  table: "麻将桌布",
  tables: { green: "绿色", blue: "蓝色", plum: "紫色" },
};
