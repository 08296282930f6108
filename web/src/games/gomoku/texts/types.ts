/** Type of the texts of gomoku. */

import type { BaseGameTexts } from "../../../i18n/types";

type Count = (count: number) => string;

export interface GomokuTexts extends BaseGameTexts {
  board: string;
  black: string;
  white: string;
  empty: string;
  lastStone: string;
  inLine: string;
  unconfirmed: string;
  begins: string;
  stone: Count;
  placed: (colour: "black" | "white", point: string) => string;
  five: string;
  undone: string;
  swapped: string;
  youPlay: (colour: string) => string;
  tapAgain: (point: string) => string;
  place: (point: string) => string;
  earlier: (step: number, total: number, news: boolean) => string;
  backToGame: string;
  end: string;
  moves: string;
  noMoves: string;
  steps: string;
  first: string;
  previous: string;
  next: string;
  last: string;
  download: string;
}

declare module "../../../i18n/types" {
  interface GameTexts {
    gomoku: GomokuTexts;
  }
}
