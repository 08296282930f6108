/** Colours of the board in light and dark mode. */

import type { WoodColours } from "./paintWood";

export interface BoardColours {
  wood: WoodColours;
  line: string;
  label: string;
  aim: string;
  /** Drawn on black and on white stones. */
  mark: { black: string; white: string };
  win: string;
  outline: string;
}

export const LIGHT_COLOURS: BoardColours = {
  wood: { light: "#e9c58b", deep: "#dbb072", band: "#b97f3f", grain: "#8a5a26", pore: "#6f4519" },
  line: "#5a4020",
  label: "#6b4c27",
  aim: "#a8322a",
  mark: { black: "#f1e9d8", white: "#a8322a" },
  win: "#a8322a",
  outline: "#fffaf2",
};

export const DARK_COLOURS: BoardColours = {
  wood: { light: "#a07a4c", deep: "#8a673d", band: "#5f4122", grain: "#45301a", pore: "#37250f" },
  line: "#2f2110",
  label: "#2f2110",
  aim: "#f4d9a8",
  mark: { black: "#f1e9d8", white: "#a8322a" },
  win: "#c8453a",
  outline: "#fff3dd",
};
