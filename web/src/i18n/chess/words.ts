/** The texts of chess. */

import type { Colour, Kind } from "../../games/chess/squares";

type Count = (count: number) => string;

export interface ChessWords {
  board: string;
  white: string;
  black: string;
  pieces: Record<Kind, string>;
  piece: (colour: Colour, piece: string) => string;
  emptySquare: string;
  inFog: string;
  held: string;
  target: string;
  lastMove: string;
  crater: string;
  mine: string;
  minesAround: Count;
  minesLeft: Count;
  times: (count: number, piece: string) => string;
  taken: (pieces: string) => string;
  /** What stands between the names in a list. */
  comma: string;

  begins: string;
  move: Count;
  moved: (colour: Colour, piece: string, square: string) => string;
  took: (colour: Colour, piece: string, square: string) => string;
  castled: (colour: Colour, short: boolean) => string;
  unseen: (colour: Colour) => string;
  check: string;
  undone: string;
  exploded: (square: string, piece: string) => string;

  yourCheck: string;
  promote: string;
  claim: string;
  claimed: string;
  threefold: string;
  fifty: string;

  turnWith: (pieces: string) => string;
  freeMove: string;
  dice: string;
  diceOf: (name: string) => string;
  diceYours: string;
  rolled: (name: string, pieces: string) => string;
  passed: (name: string) => string;
  dieNext: string;
  dieUsed: string;
  dieSkipped: string;
  dieOpen: string;
  diceAnyOrder: string;
  diceKept: (name: string) => string;
  noDice: string;
  skip: string;
  reroll: Count;
  rerolled: string;
  statistics: string;
  share: string;
  skipped: string;

  moves: string;
  noMoves: string;
  steps: string;
  first: string;
  previous: string;
  next: string;
  last: string;
  earlier: (step: number, total: number, news: boolean) => string;
  live: string;
  end: string;
  flip: string;
  download: string;
  asSeen: string;
  fogMoves: string;

  mode: string;
  modeDice: string;
  modeDiceNone: string;
  modeDiceSequential: string;
  modeDiceFree: string;
  modeRerolls: string;
  modeFog: string;
  modeMines: string;
  modeMinesCount: string;
  /** The modes of a table in a few words. */
  tags: { sequential: string; free: string; fog: string; mines: Count };
}
