/** Colours of the board as the style sheets say, for the painting on a canvas. */

import type { ReadColours } from "../../gameInterface";
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

/** Those of the usual board, unless another one is chosen. */
const COLOURS = {
  light: "var(--goban)",
  deep: "var(--goban-deep, light-dark(#dbb072, #8a673d))",
  band: "var(--goban-band, light-dark(#b97f3f, #5f4122))",
  grain: "var(--goban-grain, light-dark(#8a5a26, #45301a))",
  pore: "var(--goban-pore, light-dark(#6f4519, #37250f))",
  line: "var(--goban-line)",
  label: "var(--goban-label, light-dark(#6b4c27, #2f2110))",
  aim: "var(--goban-aim, light-dark(#a8322a, #f4d9a8))",
  win: "light-dark(#a8322a, #c8453a)",
  outline: "light-dark(#fffaf2, #fff3dd)",
} as const;

/** Colours that were read before; the same ones are the same object. */
const known = new Map<string, BoardColours>();

/** Return the colours of the board. */
export function boardColours(read: ReadColours): BoardColours {
  const { light, deep, band, grain, pore, ...others } = read(COLOURS);
  const colours = { ...others, wood: { light, deep, band, grain, pore }, mark: { black: "#f1e9d8", white: "#a8322a" } };
  const key = JSON.stringify(colours);
  if (!known.has(key)) known.set(key, colours);
  return known.get(key)!;
}
