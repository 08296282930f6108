/** Reads a game from SGF; follows the first branch. */

import type { Problem, OpenedGame, NotationGame } from "../gameInterface";
import type { Texts } from "../../i18n/types";
import type { GomokuOpeningRule } from "../../net/protocol";
import { colourOfMove, coordinate, SIZE } from "./position";
import { SGF_RULES } from "./sgfWriter";

/** A property and its values, such as B[hh]. */
type Property = readonly [name: string, values: readonly string[]];
type ErrorTexts = Texts["replay"]["errors"];

const GOMOKU = "4";
const BRACKETS = /(\()|(\))|([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\[^])*\])+)/g;
const STONES = ["B", "W"];
/** PGN names of SGF properties. */
const HEADERS = { EV: "Event", GN: "Event", PC: "Site", DT: "Date", RO: "Round", RU: "Rules", RE: "Result" };

/** Return the games of an SGF text. */
export function readSgf(text: string): readonly NotationGame<"gomoku">[] {
  return firstBranches(text).map((tree) => ({ title: namesOf(tree).join(" – "), read: () => readTree(tree) }));
}

/** Return the first branch of each tree; what follows a closing bracket is a variation. */
function firstBranches(text: string): readonly (readonly Property[])[] {
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

function readTree(tree: readonly Property[]): OpenedGame<"gomoku"> | Problem {
  const wrong = (pick: (texts: ErrorTexts) => string): Problem => ({ message: ({ replay }) => pick(replay.errors) });
  if (firstValue(tree, "GM") !== GOMOKU) return wrong(({ otherGame }) => otherGame);
  const lines = /^(15|19)(:\1)?$/.exec(firstValue(tree, "SZ") ?? String(SIZE));
  if (!lines) return wrong(({ size }) => size);
  const size = lines[1] === "19" ? 19 : SIZE;
  const rule = ruleOf(firstValue(tree, "RU") ?? "");
  if (tree.some(([name]) => ["AB", "AW", "AE"].includes(name))) return wrong(({ start }) => start);
  const moves: number[] = [];
  for (const [name, [point = ""]] of tree.filter(([one]) => STONES.includes(one))) {
    const cell = cellOf(point, size);
    const number = moves.length + 1;
    if (name !== STONES[moves.length % 2]) return wrong(({ turn }) => turn(number));
    if (cell === null) return wrong(({ move }) => move(number, point.slice(0, 12)));
    if (moves.includes(cell)) return wrong(({ occupied }) => occupied(number, coordinate(cell, size)));
    moves.push(cell);
  }
  if (moves.length === 0) return wrong(({ empty }) => empty);
  const result = firstValue(tree, "RE") ?? "";
  return {
    names: namesOf(tree),
    options: { ...(rule !== "free" && { rule }), ...(size === 19 && { size }) },
    // The stones tell everything; who chose what in swap2 is not in the file.
    position: { black: 0, turn: moves.length % 2, moves, size, line: winningLine(moves, size, rule) },
    total: moves.length,
    winners: result.startsWith("B+") ? [0] : result.startsWith("W+") ? [1] : [],
    headers: Object.entries(HEADERS).flatMap(([name, head]) => {
      const value = firstValue(tree, name);
      return value && value !== "?" ? [[head, value] as const] : [];
    }),
  };
}

function firstValue(tree: readonly Property[], name: string): string | undefined {
  return tree.find(([one]) => one === name)?.[1][0]?.trim();
}

function namesOf(tree: readonly Property[]): readonly string[] {
  return [firstValue(tree, "PB") || "?", firstValue(tree, "PW") || "?"];
}

/** Two letters: the column from the left and the row from the top. */
function cellOf(point: string, size: number): number | null {
  const [x = -1, y = -1] = [...point.trim()].map((letter) => letter.charCodeAt(0) - 97);
  const inside = point.trim().length === 2 && Math.min(x, y) >= 0 && Math.max(x, y) < size;
  return inside ? x + size * y : null;
}

/** A name that is not known stands for a free opening. */
function ruleOf(name: string): GomokuOpeningRule {
  const known = (["swap2", "renju"] as const).find((rule) => SGF_RULES[rule].toLowerCase() === name.toLowerCase());
  return known ?? "free";
}

/** Return the winning line that the last stone is part of; in renju black needs exactly five. */
function winningLine(moves: readonly number[], size: number, rule: GomokuOpeningRule): readonly number[] {
  const last = moves.length - 1;
  const sameColour = new Set(moves.filter((_, index) => colourOfMove(index) === colourOfMove(last)));
  const run = (dx: number, dy: number): number[] => {
    const cells: number[] = [];
    let [x, y] = [(moves[last]! % size) + dx, Math.floor(moves[last]! / size) + dy];
    while (x >= 0 && x < size && y >= 0 && y < size && sameColour.has(x + size * y)) {
      cells.push(x + size * y);
      [x, y] = [x + dx, y + dy];
    }
    return cells;
  };
  const directions = [[1, 0], [0, 1], [1, 1], [1, -1]] as const;
  const lines = directions.map(([dx, dy]) => [...run(-dx, -dy), moves[last]!, ...run(dx, dy)]);
  const exact = rule === "renju" && colourOfMove(last) === "black";
  return lines.find(({ length }) => length === 5 || (length > 5 && !exact)) ?? [];
}
