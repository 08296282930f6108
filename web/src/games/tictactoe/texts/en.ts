/** Texts of tictactoe, English. */

import type { TictactoeTexts } from "./types";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const texts: TictactoeTexts = {
  name: "Tic-tac-toe",
  reasons: {
    rounds: "in the best of five",
  },
  board: "Board",
  cell: (row, column) => `Row ${row}, column ${column}`,
  emptyCell: "empty",
  round: (round) => `Round ${round} of 5`,
  score: (wins) => plural(wins, "round won", "rounds won"),
  youWin: "You won this round.",
  wins: (name) => `${name} won this round.`,
  draw: "This round is a draw.",
  next: "Next round",
  began: (name) => `New round. ${name} moves first.`,
  youBegin: "New round. You move first.",
};
