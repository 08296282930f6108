/** Fetches and searches the list of finished games. */

import type { Millis, RoomId, Seat } from "../net/protocol";

export interface FinishedGame {
  room: RoomId;
  match: number;
  game: string;
  title: string;
  began: Millis;
  ended: Millis;
  names: readonly string[];
  /** Empty for a human player. */
  bots: readonly string[];
  winners: readonly Seat[];
  reason: string;
  moves: number;
}

export interface GameFilter {
  player: string;
  /** Empty for every game. */
  game: string;
}

/** Games per page. */
export const PAGE_SIZE = 20;

/** Return the URL of the next page after a game. */
export function finishedGamesPath({ player, game }: GameFilter, after?: FinishedGame): string {
  const requested = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (player.trim()) requested.set("player", player.trim());
  if (game) requested.set("game", game);
  if (after) requested.set("after", `${after.ended}-${after.room}-${after.match}`);
  return `/api/games?${requested}`;
}

/** Fetch games; null if the request failed. */
export async function fetchFinishedGames(filter: GameFilter, after?: FinishedGame, ask = fetch): Promise<readonly FinishedGame[] | null> {
  try {
    const answer = await ask(finishedGamesPath(filter, after), { headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as { games: readonly FinishedGame[] }).games : null;
  } catch {
    return null;
  }
}
