/** A table of the lobby in words. */

import type { Words } from "./i18n/words";
import type { AnyOptions, ClockPlan, LobbyRow } from "./wire";

/** A row whose table may have a name of its own. */
export type TitledRow = LobbyRow & { title?: string };

/** How a game says its options in a few words. */
export type Tags = (options: AnyOptions, words: Words) => readonly string[];

export interface Player {
  name: string;
  free: boolean;
  /** Empty for a person. */
  bot: string;
  away: boolean;
}

export interface Listing {
  game: string;
  /** The table's own name, or else its game's. */
  name: string;
  code: string;
  /** One per seat, in their order: a name, or that the seat is free. */
  players: readonly Player[];
  status: string;
  watchers: string;
  /** Empty without a clock. */
  clock: string;
  /** What is not as usual. */
  tags: readonly string[];
}

/** Return everything the list says about a table. */
export function listing(row: TitledRow, words: Words, tags?: Tags): Listing {
  const { lobby, games } = words;
  const game = row.game in games ? games[row.game as keyof typeof games] : row.game;
  return {
    game,
    name: row.title || game,
    code: row.code,
    players: row.names.map((name, seat) => {
      const known = row.seats?.[seat];
      return { name: name ?? lobby.free, free: name === null, bot: known?.bot ?? "", away: known?.away ?? false };
    }),
    status: lobby.phase[row.phase],
    watchers: lobby.watchers(row.watchers ?? 0),
    clock: row.clock ? clockText(row.clock, words) : "",
    tags: row.options ? (tags?.(row.options, words) ?? []) : [],
  };
}

/** Return how time is given, as people say it. */
export function clockText({ main, increment, move }: ClockPlan, { create }: Words): string {
  const minutes = (main ?? []).map((millis) => millis / 60_000);
  const each = minutes.map((one) => create.clockOf(one, (increment ?? 0) / 1000));
  if ((minutes[0] ?? 0) > 0) return minutes[1] === undefined ? each[0]! : create.clockOdds(each[0]!, each[1]!);
  return move ? create.clockMove(move / 1000) : create.noClock;
}

/** Return the same as short as players write it: minutes + seconds. */
export function clockBrief(plan: ClockPlan, words: Words): string {
  const { main, increment, move } = plan;
  const minutes = (main ?? []).map((millis) => millis / 60_000);
  if ((minutes[0] ?? 0) > 0) return `${minutes.join("/")}+${(increment ?? 0) / 1000}`;
  return move ? `${move / 1000} s` : clockText(plan, words);
}
