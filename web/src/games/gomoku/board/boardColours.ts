/** Colours of the board as the style sheets say, for the painting on a canvas. */

import { canvasColours } from "../../../settings/canvasColours";
import type { WoodColours } from "./paintWood";
import "./wood.css";

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

const COLOURS = {
  light: "var(--goban)",
  deep: "var(--goban-deep)",
  band: "var(--goban-band)",
  grain: "var(--goban-grain)",
  pore: "var(--goban-pore)",
  line: "var(--goban-line)",
  label: "var(--goban-label)",
  aim: "var(--goban-aim)",
  win: "light-dark(#a8322a, #c8453a)",
  outline: "light-dark(#fffaf2, #fff3dd)",
} as const;

/** Colours that were read before; the same ones are the same object. */
const known = new Map<string, BoardColours>();

/** Return the colours for a canvas. */
export function boardColours(canvas: HTMLCanvasElement): BoardColours {
  const { light, deep, band, grain, pore, ...others } = canvasColours(canvas, COLOURS);
  const colours = { ...others, wood: { light, deep, band, grain, pore }, mark: { black: "#f1e9d8", white: "#a8322a" } };
  const key = JSON.stringify(colours);
  if (!known.has(key)) known.set(key, colours);
  return known.get(key)!;
}
