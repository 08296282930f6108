/** Type of the texts for the settings of gomoku. */

import type { BOARDS } from "../looks";

export interface GomokuSettingsTexts {
  board: string;
  boards: Record<(typeof BOARDS)[number], string>;
}
