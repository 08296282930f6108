/** Fetches the finished games of this browser's guest. */

import { computed, signal } from "@preact/signals";
import type { Millis, Seat } from "../../net/protocol";
import { guestToken, state } from "../../net/session";
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
  return fetchPage(query, token, ask);
}

async function fetchPage(query: URLSearchParams, token: string, ask: typeof fetch): Promise<readonly OwnGame[] | null> {
  try {
    const answer = await ask(`/api/my-games?${query}`, { headers: { accept: "application/json", authorization: `Bearer ${token}` } });
    return answer.ok ? ((await answer.json()) as { games: readonly OwnGame[] }).games : null;
  } catch {
    return null;
  }
}

/** Fetch the seat that the user had in a finished game; null for a game of others. */
export async function fetchOwnSeat({ room, match }: Pick<OwnGame, "room" | "match">, ended: Millis, token = guestToken(), ask = fetch): Promise<Seat | null> {
  if (!token && !state.peek().account) return null;
  // The games after one that would come right before it.
  const query = new URLSearchParams({ limit: "1", after: `${ended}-${room}-${match + 1}` });
  const [first] = (await fetchPage(query, token, ask)) ?? [];
  return first?.room === room && first.match === match ? first.seat : null;
}

/** How a game ended for the user; null for a game whose seat is not known. */
export function ownResult({ seat, winners }: OwnGame): "won" | "lost" | "drawn" | null {
  if (seat === null) return null;
  return winners.length === 0 ? "drawn" : winners.includes(seat) ? "won" : "lost";
}

/** Your games that have ended while the page was open; a change means that the list is longer. */
export const endedHere = computed(() =>
  Object.values(state.value.tables).flatMap(({ room, you }) => (you !== null && room.phase === "over" ? [`${room.id} ${room.match}`] : [])).join(),
);

/** The first page, kept while the page is open. */
export const latestGames = signal<readonly OwnGame[] | null>(null);

/** Fetch the first page again. */
export async function refreshMyGames(): Promise<void> {
  const found = await fetchMyGames();
  if (found) latestGames.value = found;
}
