/** Type of the texts for the settings of chess. */

import type { BOARDS, PIECES } from "../looks";

export interface ChessSettingsTexts {
  board: string;
  boards: Record<(typeof BOARDS)[number], string>;
  pieces: string;
  sets: Record<(typeof PIECES)[number], string>;
}
