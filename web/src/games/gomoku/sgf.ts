/** A finished game as a file other programs read: SGF, game 4. */

import type { Outcome, Seat } from "../../wire";
import { colourOfMove, SIZE } from "./position";

export interface Game {
  black: Seat;
  names: { black: string; white: string };
  moves: readonly number[];
  result: Outcome | null;
  /** Any moment of the day it was played. */
  day: Date;
}

/** Return the game as one SGF tree. */
export function sgf({ black, names, moves, result, day }: Game): string {
  const head = [
    `FF[4]GM[4]SZ[${SIZE}]CA[UTF-8]AP[Qipai]`,
    `PB[${plain(names.black)}]PW[${plain(names.white)}]`,
    `DT[${day.toISOString().slice(0, 10)}]`,
    `RE[${result ? outcome(result, black) : "?"}]`,
  ].join("");
  const stones = moves.map((cell, index) => `;${colourOfMove(index) === "black" ? "B" : "W"}[${point(cell)}]`);
  const lines = Array.from({ length: Math.ceil(stones.length / 10) }, (_, line) =>
    stones.slice(line * 10, line * 10 + 10).join(""),
  );
  return `(;${[head, ...lines].join("\n")})\n`;
}

/** Two letters: the column from the left and the row from the top. */
function point(cell: number): string {
  const letter = (line: number) => String.fromCharCode(97 + line);
  return letter(cell % SIZE) + letter(Math.floor(cell / SIZE));
}

function outcome({ winners, reason }: Outcome, black: Seat): string {
  const [winner] = winners;
  if (winner === undefined) return reason === "abandoned" ? "Void" : "0";
  const how = { resigned: "R", time: "T", left: "F" }[reason] ?? "";
  return `${winner === black ? "B" : "W"}+${how}`;
}

/** Simple text: no line breaks, and what would end it early is escaped. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\\]]/g, "\\$&");
}
