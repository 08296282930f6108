/** Finished games as the server lists them. */

import type { Millis, RoomId, Seat } from "./wire";

export interface Past {
  room: RoomId;
  match: number;
  game: string;
  title: string;
  began: Millis;
  ended: Millis;
  names: readonly string[];
  /** Empty where a person sat. */
  bots: readonly string[];
  winners: readonly Seat[];
  reason: string;
  moves: number;
}

export interface Wish {
  player: string;
  /** Empty for every game. */
  game: string;
}

/** How many are asked for at once. */
export const PAGE = 20;

/** Return the address that finds games after a known one. */
export function pastPath({ player, game }: Wish, after?: Past): string {
  const asked = new URLSearchParams({ limit: String(PAGE) });
  if (player.trim()) asked.set("player", player.trim());
  if (game) asked.set("game", game);
  if (after) asked.set("after", `${after.ended}-${after.room}-${after.match}`);
  return `/api/games?${asked}`;
}

/** Ask for games; null if there was no answer. */
export async function fetchPast(wish: Wish, after?: Past, ask = fetch): Promise<readonly Past[] | null> {
  try {
    const answer = await ask(pastPath(wish, after), { headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as { games: readonly Past[] }).games : null;
  } catch {
    return null;
  }
}
