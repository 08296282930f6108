/** Type of the texts of profiles; they are loaded with them. */

import type { GameResult, Opponents } from "../../profile/profileApi";

type ByResult<T> = Record<GameResult, T>;

export interface ProfileTexts {
  loading: string;
  notFound: (name: string) => string;
  notFoundNote: string;
  failed: string;
  /** Since when somebody has an account; a month. */
  since: (month: string) => string;
  yourAccount: string;
  games: string;
  noGames: string;
  noneFound: string;
  withYou: string;
  filters: string;
  any: string;
  result: string;
  opponents: string;
  against: Record<Opponents, string>;
  opponent: string;
  from: string;
  until: string;
  results: string;
  /** After a number. */
  counted: ByResult<string>;
  /** One or two letters for each result. */
  letters: ByResult<string>;
  longestWins: string;
  wins: (count: number) => string;
  streak: string;
  streakOf: ByResult<(count: number) => string>;
  you: string;
  youAnd: (name: string) => string;
  between: (one: string, other: string) => string;
  /** Between the two numbers of a score, read out. */
  to: string;
  /** Draws, and that the last games follow. */
  lastGames: (drawn: number) => string;
  download: string;
  downloading: string;
  downloadNote: string;
  downloadFailed: string;
}
