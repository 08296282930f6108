/** Type of the texts of gomoku. */

import type { BaseGameTexts } from "../../../i18n/types";
import type { GomokuChoice, GomokuForbiddenKind, GomokuOpeningRule } from "../../../net/protocol";
import type { Stage } from "../position";

type Count = (count: number) => string;
type Name = (name: string) => string;

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
  opening: string;
  presets: Record<"free" | "swap2" | "renju" | "large", { name: string; hint: string }>;
  rules: Record<GomokuOpeningRule, string>;
  ruleNotes: Record<GomokuOpeningRule, string>;
  boardSize: string;
  lines: Count;
  /** What the viewer does at a stage; the number of the next stone. */
  ownStages: Record<Stage, Count>;
  otherStages: Record<Stage, Name>;
  choices: Record<GomokuChoice, string>;
  chosen: Record<GomokuChoice, Name>;
  forbiddenKinds: Record<GomokuForbiddenKind, string>;
  forbiddenPoint: (kind: string) => string;
  forbiddenReasons: Record<GomokuForbiddenKind, string>;
  refused: (point: string, reason: string) => string;
}

declare module "../../../i18n/types" {
  interface GameTexts {
    gomoku: GomokuTexts;
  }
}
