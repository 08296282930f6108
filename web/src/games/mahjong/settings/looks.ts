/** Looks of mahjong: faces of the tiles, numbers on them, and colours of the table. */

import { language } from "../../../i18n/language";
import { choice } from "../../../settings/setting";

export const TILES = ["ivory", "bamboo", "night"] as const;
export const TABLES = ["green", "blue", "plum"] as const;

export const tiles = choice("mahjong-tiles", TILES);
export const table = choice("mahjong-table", TABLES);

const numbers = choice("mahjong-numbers", ["language", "on", "off"]);

/** Tell whether tiles have numbers in their corners: as chosen; otherwise for those who may not read the characters. */
export function hasNumbers(): boolean {
  return numbers.value === "language" ? language.value === "en" : numbers.value === "on";
}

/** Show numbers on tiles, or none. */
export function showNumbers(on: boolean): void {
  numbers.value = on ? "on" : "off";
}
