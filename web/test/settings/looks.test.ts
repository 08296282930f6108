/// <reference types="vite/client" />
/** Looks of games: whatever is chosen, the pieces, stones, inks and marks can be told from what is below them. */

import { describe, expect, it } from "vitest";
import { BOARDS as CHESS_BOARDS, PIECES } from "../../src/games/chess/settings/looks";
import { BOARDS as GOMOKU_BOARDS } from "../../src/games/gomoku/settings/looks";
import { TABLES, TILES } from "../../src/games/mahjong/settings/looks";

const SHEETS = import.meta.glob<string>("../../src/**/*.css", { query: "?raw", import: "default", eager: true });
const ALL = Object.values(SHEETS).join("\n");

type Colour = readonly [red: number, green: number, blue: number, alpha: number];
type Look = Readonly<Record<string, string>>;
const SCHEMES = ["light", "dark"] as const;

/** Return the custom properties of a look; they may be in several rules. */
function look(attribute: string, value: string): Look {
  const rules = [...ALL.matchAll(/([^{}]*)\{([^{}]*)\}/g)].filter(([, selector]) => selector!.includes(`[data-${attribute}="${value}"]`));
  return Object.fromEntries(rules.flatMap(([, , body]) => [...body!.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, text]) => [name!, text!])));
}

function colour(found: Look, name: string, scheme: (typeof SCHEMES)[number]): Colour {
  const text = found[name];
  if (text === undefined) throw new Error(`no ${name}`);
  const both = /^light-dark\((#\w+), (#\w+)\)$/.exec(text);
  const one = both ? both[scheme === "light" ? 1 : 2]! : text;
  const hex = /^#(..)(..)(..)$/.exec(one);
  if (hex) return [1, 2, 3].map((part) => parseInt(hex[part]!, 16)).concat(1) as unknown as Colour;
  const rgb = /^rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)$/.exec(one);
  if (!rgb) throw new Error(`cannot read ${name}: ${text}`);
  return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3]), Number(rgb[4]) / 100];
}

function over([red, green, blue, alpha]: Colour, below: Colour): Colour {
  const mix = (one: number, other: number) => one * alpha + other * (1 - alpha);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1];
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Return the contrast as the accessibility guidelines define it. */
function contrast(one: Colour, other: Colour): number {
  const light = ([red, green, blue]: Colour) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05;
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b) as [number, number];
  return high / low;
}

/** Return the distance of two colours for the eye (CIE 1976); 2 can just be seen. */
function distance(one: Colour, other: Colour): number {
  const lab = ([red, green, blue]: Colour) => {
    const [r, g, b] = [linear(red), linear(green), linear(blue)];
    const scaled = [(0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089];
    const [x, y, z] = scaled.map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [number, number, number];
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)] as const;
  };
  const [first, second] = [lab(one), lab(other)];
  return Math.hypot(...first.map((part, index) => part - second[index]!));
}

const WHITE: Colour = [255, 253, 246, 1];
const BLACK: Colour = [35, 33, 29, 1];

describe.each(SCHEMES)("in %s mode", (scheme) => {
  it.each(CHESS_BOARDS)("the chess board %s shows its squares, the last move and the pieces", (name) => {
    const found = look("chess-board", name);
    const [light, dark, moved] = ["--chess-light", "--chess-dark", "--chess-moved"].map((one) => colour(found, one, scheme)) as [Colour, Colour, Colour];
    expect(distance(light, dark)).toBeGreaterThan(20);
    for (const square of [light, dark]) {
      const marked = over(moved, square);
      for (const plain of [light, dark]) expect(distance(marked, plain), `${marked} beside ${plain}`).toBeGreaterThan(18);
      for (const below of [square, marked]) expect(contrast(BLACK, below)).toBeGreaterThan(3);
    }
    // White pieces have a black outline.
    expect(contrast(WHITE, BLACK)).toBeGreaterThan(7);
  });

  it.each(GOMOKU_BOARDS)("the gomoku board %s shows its lines and the stones", (name) => {
    // The usual board has the rest of its colours in its painting.
    const found = { "--goban-deep": "light-dark(#dbb072, #8a673d)", "--goban-label": "light-dark(#6b4c27, #2f2110)", ...look("gomoku-board", name) };
    for (const wood of ["--goban", "--goban-deep"].map((one) => colour(found, one, scheme))) {
      expect(distance(colour(found, "--goban-line", scheme), wood)).toBeGreaterThan(25);
      expect(contrast(colour(found, "--goban-label", scheme), wood)).toBeGreaterThan(3);
      expect(distance([250, 247, 240, 1], wood)).toBeGreaterThan(12);
      expect(distance([38, 40, 43, 1], wood)).toBeGreaterThan(25);
    }
  });

  it.each(TILES)("the tiles %s show their faces", (name) => {
    const found = look("mahjong-tiles", name);
    for (const face of ["--tile-face", "--tile-face-low"].map((one) => colour(found, one, scheme))) {
      for (const ink of ["--mj-red", "--mj-green", "--mj-blue", "--mj-ink", "--tile-corner"]) {
        expect(contrast(colour(found, ink, scheme), face), ink).toBeGreaterThan(3.5);
      }
    }
    // The suits differ by shape as well, but the inks should not look the same.
    expect(distance(colour(found, "--mj-red", scheme), colour(found, "--mj-green", scheme))).toBeGreaterThan(40);
  });

  it.each(TABLES.flatMap((table) => TILES.map((tile) => [table, tile] as const)))("a %s table shows %s tiles and its writing", (table, tile) => {
    const [cloth, tiles] = [look("mahjong-table", table), look("mahjong-tiles", tile)];
    for (const felt of ["--felt", "--felt-low", "--felt-deep"].map((one) => colour(cloth, one, scheme))) {
      expect(distance(colour(tiles, "--tile-face", scheme), felt), `a tile on ${felt}`).toBeGreaterThan(15);
      // Backs have a light edge too.
      expect(distance(colour(tiles, "--tile-back", scheme), felt), `a back on ${felt}`).toBeGreaterThan(6);
      for (const chalk of ["--chalk", "--chalk-soft"]) expect(contrast(colour(cloth, chalk, scheme), felt), chalk).toBeGreaterThan(3.5);
    }
  });
});

describe("a look", () => {
  it("has its styles, whichever is chosen", () => {
    const choices = { "chess-board": CHESS_BOARDS, "chess-pieces": PIECES, "gomoku-board": GOMOKU_BOARDS, "mahjong-tiles": TILES, "mahjong-table": TABLES };
    for (const [name, values] of Object.entries(choices)) {
      const first = Object.keys(look(name, values[0])).sort();
      expect(first.length, name).toBeGreaterThan(0);
      for (const value of values) expect(Object.keys(look(name, value)), `${name} ${value}`).toEqual(expect.arrayContaining(first));
    }
  });

  it("has at least four boards and three sets of pieces for chess, three boards for gomoku, three tiles and tables for mahjong", () => {
    expect(CHESS_BOARDS.length).toBeGreaterThanOrEqual(4);
    for (const choices of [PIECES, GOMOKU_BOARDS, TILES, TABLES]) expect(choices.length).toBeGreaterThanOrEqual(3);
  });
});
