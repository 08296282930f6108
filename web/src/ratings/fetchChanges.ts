/** Asks what a finished game changed: its match is rated when it is archived, a moment after its end. */

import type { RoomId } from "../net/protocol";
import { retryingFetch } from "../net/retryingFetch";
import { ratingChanges, type GameRatings } from "./ratingChanges";

/** Milliseconds before each further question. A match that did not count has no changes, however long one waits. */
export const PAUSES: readonly number[] = [1_000, 1_000, 2_000, 3_000, 5_000, 8_000, 13_000];

const asked = new Set<string>();

/** Ask until there is an answer, and add it to those that the page knows; each game once. */
export async function addRatingChanges(room: RoomId, match: number, ask = retryingFetch(() => undefined, new AbortController().signal), wait = pause): Promise<void> {
  const key = `${room} ${match}`;
  if (asked.has(key)) return;
  asked.add(key);
  let found: GameRatings | null = null;
  for (const next of [0, ...PAUSES]) {
    if (next) await wait(next);
    found = await fetchChanges(room, match, ask);
    if (found?.changes.length) break;
  }
  if (found) ratingChanges.value = { ...ratingChanges.value, [key]: found };
  // Without an answer, the game is asked for again when it is shown again.
  else asked.delete(key);
}

async function fetchChanges(room: RoomId, match: number, ask: typeof fetch): Promise<GameRatings | null> {
  try {
    const answer = await ask(`/api/games/${room}/${match}/ratings`, { headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as GameRatings) : null;
  } catch {
    return null;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
