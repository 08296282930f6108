/** Writes a game as SGF. */

import type { GomokuOpeningRule, OutcomeView, Seat } from "../../net/protocol";
import { colourOfMove, SIZE } from "./position";

/** Values of `RU`; a game with free opening has none. */
export const SGF_RULES = { swap2: "Swap2", renju: "Renju" } as const;

export interface SgfGame {
  black: Seat;
  names: { black: string; white: string };
  moves: readonly number[];
  rule?: GomokuOpeningRule | undefined;
  size?: number;
  result: OutcomeView | null;
  /** Date of the game. */
  day: Date;
}

/** Return the game as one SGF tree. */
export function writeSgf({ black, names, moves, rule = "free", size = SIZE, result, day }: SgfGame): string {
  const head = [
    `FF[4]GM[4]SZ[${size}]CA[UTF-8]AP[Qipai]`,
    rule === "free" ? "" : `RU[${SGF_RULES[rule]}]`,
    `PB[${escaped(names.black)}]PW[${escaped(names.white)}]`,
    `DT[${day.toISOString().slice(0, 10)}]`,
    `RE[${result ? sgfResult(result, black) : "?"}]`,
  ].join("");
  const stones = moves.map((cell, index) => `;${colourOfMove(index) === "black" ? "B" : "W"}[${point(cell, size)}]`);
  const lines = Array.from({ length: Math.ceil(stones.length / 10) }, (_, line) =>
    stones.slice(line * 10, line * 10 + 10).join(""),
  );
  return `(;${[head, ...lines].join("\n")})\n`;
}

/** Two letters: the column from the left and the row from the top. */
function point(cell: number, size: number): string {
  const letter = (line: number) => String.fromCharCode(97 + line);
  return letter(cell % size) + letter(Math.floor(cell / size));
}

function sgfResult({ winners, reason }: OutcomeView, black: Seat): string {
  const [winner] = winners;
  if (winner === undefined) return reason === "abandoned" ? "Void" : "0";
  const how = { resigned: "R", time: "T", left: "F" }[reason] ?? "";
  return `${winner === black ? "B" : "W"}+${how}`;
}

/** Return SimpleText: no line breaks, special characters escaped. */
function escaped(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\\]]/g, "\\$&");
}
