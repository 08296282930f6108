/** Texts of a table in the list: players, clock, options. */

import type { Texts } from "../i18n/types";
import type { AnyOptions, ClockPlanView, LobbyRow, SeatRating } from "../net/protocol";

/** A lobby row that may have a title. */
export type TitledRow = LobbyRow & { title?: string };

/** Returns the options of a table as short tags. */
export type OptionTags = (options: AnyOptions, texts: Texts) => readonly string[];

export interface Player {
  name: string;
  free: boolean;
  /** Empty for a human player. */
  bot: string;
  /** Whether a program plays for an account. */
  botAccount: boolean;
  disconnected: boolean;
  rating: SeatRating | null | undefined;
}

export interface TableSummary {
  game: string;
  /** Title of the table, or the name of its game. */
  name: string;
  code: string;
  /** One entry per seat: a name, or that the seat is open. */
  players: readonly Player[];
  status: string;
  spectators: string;
  /** Empty without a clock. */
  clock: string;
  /** Options that differ from the default. */
  tags: readonly string[];
}

/** Return all texts of a row. */
export function tableSummary(row: TitledRow, texts: Texts, tags?: OptionTags): TableSummary {
  const { lobby, games } = texts;
  const game = row.game in games ? games[row.game as keyof typeof games].name : row.game;
  return {
    game,
    name: row.title || game,
    code: row.code,
    players: row.names.map((name, seat) => {
      const known = row.seats?.[seat];
      return { name: name ?? lobby.emptySeat, free: name === null, bot: known?.bot ?? "", botAccount: known?.bot_account ?? false, disconnected: known?.disconnected ?? false, rating: known?.rating };
    }),
    status: lobby.phase[row.phase],
    spectators: lobby.spectators(row.spectators ?? 0),
    clock: row.clock ? clockText(row.clock, texts) : "",
    tags: row.options ? (tags?.(row.options, texts) ?? []) : [],
  };
}

/** Return a clock plan as a text. */
export function clockText({ main, increment, move }: ClockPlanView, { createTable }: Texts): string {
  const minutes = (main ?? []).map(inMinutes);
  const each = minutes.map((one) => createTable.clockOf(one, (increment ?? 0) / 1000));
  if ((minutes[0] ?? 0) > 0) return minutes[1] === undefined ? each[0]! : createTable.clockOdds(each[0]!, each[1]!);
  return move ? createTable.clockMove(move / 1000) : createTable.noClock;
}

/** Return minutes with at most two decimals. */
function inMinutes(millis: number): number {
  return Math.round(millis / 600) / 100;
}

/** Return a clock plan in short form: minutes + seconds. */
export function shortClockText(plan: ClockPlanView, texts: Texts): string {
  const { main, increment, move } = plan;
  const minutes = (main ?? []).map(inMinutes);
  if ((minutes[0] ?? 0) > 0) return `${minutes.join("/")}+${(increment ?? 0) / 1000}`;
  return move ? `${move / 1000} s` : clockText(plan, texts);
}
