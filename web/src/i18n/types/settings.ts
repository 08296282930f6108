/** Type of the texts of the settings sheet; they are loaded with it. */

import type { Speed, Theme } from "../../settings/theme";

export interface SettingsTexts {
  /** Changes are saved at once. */
  saved: string;
  theme: { title: string; options: Record<Theme, string> };
  speed: {
    title: string;
    options: Record<Speed, string>;
    /** Shown while the system asks for less motion. */
    reduced: string;
  };
  board: {
    title: string;
    coordinates: string;
    confirmMoves: string;
    confirmMovesNote: string;
    zenMode: string;
    zenModeNote: string;
    /** How to draw on a board. */
    drawing: string;
  };
}
