/** Fetches the finished games of this browser's guest. */

import { signal } from "@preact/signals";
import type { Seat } from "../../net/protocol";
import { guestToken } from "../../net/session";
import { PAGE_SIZE, type FinishedGame } from "../../replay/finishedGamesApi";

/** A finished game of the user; `seat` is null if the server does not know it. */
export interface OwnGame extends FinishedGame {
  public: boolean;
  seat: Seat | null;
}

/** Fetch a page of the games after one; null if the request failed. */
export async function fetchMyGames(after?: OwnGame, token = guestToken(), ask = fetch): Promise<readonly OwnGame[] | null> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (after) query.set("after", `${after.ended}-${after.room}-${after.match}`);
  try {
    const answer = await ask(`/api/my-games?${query}`, { headers: { accept: "application/json", authorization: `Bearer ${token}` } });
    return answer.ok ? ((await answer.json()) as { games: readonly OwnGame[] }).games : null;
  } catch {
    return null;
  }
}

/** How a game ended for the user; null for a game whose seat is not known. */
export function ownResult({ seat, winners }: OwnGame): "won" | "lost" | "drawn" | null {
  if (seat === null) return null;
  return winners.length === 0 ? "drawn" : winners.includes(seat) ? "won" : "lost";
}

/** The first page, kept while the page is open. */
export const latestGames = signal<readonly OwnGame[] | null>(null);

/** Fetch the first page again. */
export async function refreshMyGames(): Promise<void> {
  const found = await fetchMyGames();
  if (found) latestGames.value = found;
}
