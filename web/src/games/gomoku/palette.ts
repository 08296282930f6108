/** The colours of the board by day and by night. */

import type { Timber } from "./wood";

export interface Palette {
  timber: Timber;
  line: string;
  label: string;
  aim: string;
  /** Drawn on black and on white stones. */
  mark: { black: string; white: string };
  win: string;
  casing: string;
}

export const DAY: Palette = {
  timber: { light: "#e9c58b", deep: "#dbb072", band: "#b97f3f", grain: "#8a5a26", pore: "#6f4519" },
  line: "#5a4020",
  label: "#6b4c27",
  aim: "#a8322a",
  mark: { black: "#f1e9d8", white: "#a8322a" },
  win: "#a8322a",
  casing: "#fffaf2",
};

export const NIGHT: Palette = {
  timber: { light: "#a07a4c", deep: "#8a673d", band: "#5f4122", grain: "#45301a", pore: "#37250f" },
  line: "#2f2110",
  label: "#2f2110",
  aim: "#f4d9a8",
  mark: { black: "#f1e9d8", white: "#a8322a" },
  win: "#c8453a",
  casing: "#fff3dd",
};
