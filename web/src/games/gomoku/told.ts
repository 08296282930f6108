/** A game of gomoku read from SGF text; where it branches, the first branch is the game. */

import type { Problem, Told, Written } from "../game";
import type { Words } from "../../i18n/words";
import { CELLS, colourOfMove, coordinate, SIZE } from "./position";

/** A property and its values, such as B[hh]. */
type Property = readonly [name: string, values: readonly string[]];
type Wrong = Words["replay"]["wrong"];

const GOMOKU = "4";
const BRACKETS = /(\()|(\))|([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\[^])*\])+)/g;
const STONES = ["B", "W"];
/** By the names that PGN has for the same. */
const HEADS = { EV: "Event", GN: "Event", PC: "Site", DT: "Date", RO: "Round", RU: "Rules", RE: "Result" };

/** Return the games of an SGF text. */
export function told(text: string): readonly Written<"gomoku">[] {
  return trees(text).map((tree) => ({ title: namesOf(tree).join(" – "), read: () => read(tree) }));
}

/** Take each tree's first branch: after a closed bracket whatever opens beside it is another one. */
function trees(text: string): readonly (readonly Property[])[] {
  const found: Property[][] = [];
  let [depth, closed] = [0, false];
  for (const [, open, close, name, values] of text.matchAll(BRACKETS)) {
    if (open !== undefined) {
      if (depth === 0) found.push([]);
      if (depth === 0) closed = false;
      depth += 1;
    } else if (close !== undefined) {
      depth = Math.max(0, depth - 1);
      closed = true;
    } else if (depth > 0 && !closed) {
      const inner = [...values!.matchAll(/\[((?:[^\]\\]|\\[^])*)\]/g)].map(([, value]) => value!.replace(/\\([^])/g, "$1"));
      found.at(-1)!.push([name!.replace(/[a-z]/g, ""), inner]);
    }
  }
  return found;
}

function read(tree: readonly Property[]): Told<"gomoku"> | Problem {
  const wrong = (pick: (texts: Wrong) => string): Problem => ({ says: ({ replay }) => pick(replay.wrong) });
  if (first(tree, "GM") !== GOMOKU) return wrong(({ other }) => other);
  if (!/^15(:15)?$/.test(first(tree, "SZ") ?? String(SIZE))) return wrong(({ size }) => size);
  if (tree.some(([name]) => ["AB", "AW", "AE"].includes(name))) return wrong(({ start }) => start);
  const moves: number[] = [];
  for (const [name, [point = ""]] of tree.filter(([one]) => STONES.includes(one))) {
    const cell = cellOf(point);
    const number = moves.length + 1;
    if (name !== STONES[moves.length % 2]) return wrong(({ turn }) => turn(number));
    if (cell === null) return wrong(({ move }) => move(number, point.slice(0, 12)));
    if (moves.includes(cell)) return wrong(({ taken }) => taken(number, coordinate(cell)));
    moves.push(cell);
  }
  if (moves.length === 0) return wrong(({ empty }) => empty);
  const result = first(tree, "RE") ?? "";
  return {
    names: namesOf(tree),
    options: {},
    position: { black: 0, turn: moves.length % 2, moves, line: lineOf(moves) },
    total: moves.length,
    winners: result.startsWith("B+") ? [0] : result.startsWith("W+") ? [1] : [],
    heads: Object.entries(HEADS).flatMap(([name, head]) => {
      const value = first(tree, name);
      return value && value !== "?" ? [[head, value] as const] : [];
    }),
  };
}

function first(tree: readonly Property[], name: string): string | undefined {
  return tree.find(([one]) => one === name)?.[1][0]?.trim();
}

function namesOf(tree: readonly Property[]): readonly string[] {
  return [first(tree, "PB") || "?", first(tree, "PW") || "?"];
}

/** Two letters: the column from the left and the row from the top. */
function cellOf(point: string): number | null {
  const [x = -1, y = -1] = [...point.trim()].map((letter) => letter.charCodeAt(0) - 97);
  const inside = point.trim().length === 2 && Math.min(x, y) >= 0 && Math.max(x, y) < SIZE;
  return inside ? x + SIZE * y : null;
}

/** Return the row of five or more that the last stone is part of. */
function lineOf(moves: readonly number[]): readonly number[] {
  const last = moves.length - 1;
  const own = new Set(moves.filter((_, index) => colourOfMove(index) === colourOfMove(last)));
  const run = (dx: number, dy: number): number[] => {
    const cells: number[] = [];
    let [x, y] = [(moves[last]! % SIZE) + dx, Math.floor(moves[last]! / SIZE) + dy];
    while (x >= 0 && x < SIZE && y * SIZE < CELLS && own.has(x + SIZE * y)) {
      cells.push(x + SIZE * y);
      [x, y] = [x + dx, y + dy];
    }
    return cells;
  };
  const ways = [[1, 0], [0, 1], [1, 1], [1, -1]] as const;
  const lines = ways.map(([dx, dy]) => [...run(-dx, -dy), moves[last]!, ...run(dx, dy)]);
  return lines.find((line) => line.length >= 5) ?? [];
}
