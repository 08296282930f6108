/** Fetches profiles, the games of a person, and the results of two people. */

import { guestToken } from "../net/session";
import type { Millis, Seat } from "../net/protocol";
import type { Relation } from "../relations/relationsApi";
import { PAGE_SIZE, type FinishedGame } from "../replay/finishedGamesApi";

export type GameResult = "won" | "lost" | "drawn";
export type Opponents = "people" | "bots";

/** A finished game of a person; `seat` is null if the server does not know it. */
export interface PersonGame extends FinishedGame {
  public: boolean;
  seat: Seat | null;
}

/** How many games ended with a result: game, twist, opponents, result, games. Opponents and result are empty if not known. */
export type ResultCount = readonly [game: string, twist: string, against: Opponents | "", result: GameResult | "", games: number];

export interface Profile {
  name: string;
  created: Millis;
  bot: boolean;
  you: boolean;
  results: readonly ResultCount[];
  longest_wins: number;
  streak: { result: GameResult | ""; games: number };
  /** Null for the user's own profile, and for guests. */
  relation: Relation | null;
}

export interface HeadToHead {
  won: number;
  lost: number;
  drawn: number;
  /** The last first. */
  last: readonly GameResult[];
}

/** Which games of a person are shown; an empty text for all. Days are as in a field for dates. */
export interface PersonGameFilter {
  game: string;
  twist: string;
  result: GameResult | "";
  against: Opponents | "";
  opponent: string;
  from: string;
  to: string;
}

export const ALL_GAMES: PersonGameFilter = { game: "", twist: "", result: "", against: "", opponent: "", from: "", to: "" };

/** What came instead of an answer. */
export type Missing = "not found" | "failed";

const path = (name: string): string => `/api/people/${encodeURIComponent(name)}`;

export const fetchProfile = (name: string, ask: typeof fetch): Promise<Profile | Missing> => request<Profile>(path(name), ask);

/** Fetch the results of the user, or of `other`, against somebody. */
export function fetchHeadToHead(name: string, other: string, ask: typeof fetch): Promise<HeadToHead | Missing> {
  return request<HeadToHead>(`${path(name)}/head-to-head${other ? `?${new URLSearchParams({ with: other })}` : ""}`, ask);
}

/** Fetch a page of the games of somebody, or of the user if the name is empty. */
export async function fetchPersonGames(name: string, filter: PersonGameFilter, after: PersonGame | undefined, ask: typeof fetch): Promise<readonly PersonGame[] | Missing> {
  const found = await request<{ games: readonly PersonGame[] }>(`${name ? `${path(name)}/games` : "/api/my-games"}?${gamesQuery(filter, after)}`, ask);
  return typeof found === "string" ? found : found.games;
}

/** Return the query for a page of games after one. */
export function gamesQuery(filter: PersonGameFilter, after?: PersonGame): URLSearchParams {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const field of ["game", "twist", "result", "against", "opponent"] as const) {
    if (filter[field].trim()) query.set(field, filter[field].trim());
  }
  const [since, until] = [startOfDay(filter.from, 0), startOfDay(filter.to, 1)];
  if (since !== null) query.set("since", String(since));
  if (until !== null) query.set("until", String(until));
  if (after) query.set("after", `${after.ended}-${after.room}-${after.match}`);
  return query;
}

/** Return when a day starts here, or a day some days later; null for an empty or wrong date. */
function startOfDay(date: string, later: number): Millis | null {
  const [year, month, day] = date.split("-").map(Number);
  const start = new Date(year!, month! - 1, day! + later).getTime();
  return date && start >= 0 ? start : null;
}

/** Fetch all games of the user as a file; null if that failed. */
export async function fetchDownload(ask: typeof fetch): Promise<Blob | null> {
  try {
    const answer = await ask("/api/my-games/download", { headers: identity(), cache: "no-store", credentials: "same-origin" });
    return answer.ok ? await answer.blob() : null;
  } catch {
    return null;
  }
}

/** Return the header that tells who a guest is; accounts have a cookie. */
function identity(): Record<string, string> {
  const token = guestToken();
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function request<T>(address: string, ask: typeof fetch): Promise<T | Missing> {
  try {
    const answer = await ask(address, { headers: { accept: "application/json", ...identity() }, cache: "no-store", credentials: "same-origin" });
    if (answer.ok) return (await answer.json()) as T;
    return answer.status === 404 || answer.status === 401 ? "not found" : "failed";
  } catch {
    return "failed";
  }
}
