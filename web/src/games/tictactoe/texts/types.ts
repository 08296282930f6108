/** Type of the texts of tictactoe. */

import type { BaseGameTexts } from "../../../i18n/types";

type Count = (count: number) => string;
type Named = (name: string) => string;

export interface TictactoeTexts extends BaseGameTexts {
  board: string;
  cell: (row: number, column: number) => string;
  emptyCell: string;
  round: Count;
  score: Count;
  youWin: string;
  wins: Named;
  draw: string;
  next: string;
  began: Named;
  youBegin: string;
}

declare module "../../../i18n/types" {
  interface GameTexts {
    tictactoe: TictactoeTexts;
  }
}
