/** Type of the texts of chess. */

import type { Colour, Kind } from "../squares";
import type { BaseGameTexts } from "../../../i18n/types";

type Count = (count: number) => string;

export interface ChessTexts extends BaseGameTexts {
  /** A game with more than one twist. */
  mixed: string;
  presets: Record<"plain" | "dice" | "fog" | "mines", { name: string; hint: string }>;
  board: string;
  white: string;
  black: string;
  /** White and black, as a choice of sides. */
  sides: readonly [string, string];
  pieces: Record<Kind, string>;
  piece: (colour: Colour, piece: string) => string;
  emptySquare: string;
  inFog: string;
  selected: string;
  target: string;
  lastMove: string;
  crater: string;
  mine: string;
  minesAround: Count;
  minesLeft: Count;
  times: (count: number, piece: string) => string;
  captured: (pieces: string) => string;
  /** Separator of a list. */
  comma: string;
  begins: string;
  move: Count;
  moved: (colour: Colour, piece: string, square: string) => string;
  captures: (colour: Colour, piece: string, square: string) => string;
  castled: (colour: Colour, short: boolean) => string;
  movedInFog: (colour: Colour) => string;
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
  backToGame: string;
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
  /** Options of a table as short tags. */
  tags: { sequential: string; free: string; fog: string; mines: Count };
}

declare module "../../../i18n/types" {
  interface GameTexts {
    chess: ChessTexts;
  }
}
