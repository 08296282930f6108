/** Type of the texts for the settings of mahjong. */

import type { TABLES, TILES } from "../looks";

export interface MahjongSettingsTexts {
  tiles: string;
  faces: Record<(typeof TILES)[number], string>;
  numbers: string;
  numbersNote: string;
  table: string;
  tables: Record<(typeof TABLES)[number], string>;
}
