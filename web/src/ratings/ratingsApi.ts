/** Fetches the ratings of a person. */

import type { Millis } from "../net/protocol";

export interface Rating {
  /** The game, and what of it, such as `chess-blitz`. */
  category: string;
  rating: number;
  provisional: boolean;
  games: number;
  /** When the last rated game ended. */
  last: Millis;
  /** By how much the last game changed the rating. */
  change: number;
  /** End of each of the last games and the rating after it, the oldest first. */
  curve: readonly (readonly [Millis, number])[];
}

/** A rating category, and how many players its leaderboard counts. */
export interface RankedCategory {
  category: string;
  players: number;
}

export interface Leader {
  name: string;
  rating: number;
  games: number;
  last: Millis;
}

/** The best players of a category; `distribution` has the rating at which each bucket begins, and its players. */
export interface Leaderboard {
  category: string;
  players: readonly Leader[];
  bucket: number;
  distribution: readonly (readonly [from: number, players: number])[];
}

/** The rating of somebody who has not played in a category. */
export const START_RATING = 1500;

const WIDTH = 260;
const TOP = 4;
const BOTTOM = 30;

/** Fetch ratings; none if the server has no ratings or nobody has this name. */
export async function fetchRatings(name: string, ask: typeof fetch): Promise<readonly Rating[]> {
  try {
    const answer = await ask(`/api/ratings/${encodeURIComponent(name)}`, { headers: { accept: "application/json" } });
    if (!answer.ok) return [];
    const { ratings } = (await answer.json()) as { ratings: readonly Rating[] };
    return ratings.filter(({ games }) => games > 0);
  } catch {
    return [];
  }
}

/** Return the line of a curve as a path that fills the width; a rating that did not change is in the middle. */
export function curvePath(curve: Rating["curve"]): string {
  const values = curve.map(([, rating]) => rating);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const points = values.map((value, number) => {
    const y = most === least ? (TOP + BOTTOM) / 2 : BOTTOM - ((value - least) / (most - least)) * (BOTTOM - TOP);
    return `${((number * WIDTH) / (values.length - 1)).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

/** Fetch all categories; null if that failed. */
export async function fetchCategories(ask: typeof fetch): Promise<readonly RankedCategory[] | null> {
  return (await fetchJson<{ categories: readonly RankedCategory[] }>("/api/leaderboards", ask))?.categories ?? null;
}

/** Fetch the leaderboard of a category; null if that failed. */
export function fetchLeaderboard(category: string, ask: typeof fetch): Promise<Leaderboard | null> {
  return fetchJson<Leaderboard>(`/api/leaderboards/${category}`, ask);
}

async function fetchJson<T>(path: string, ask: typeof fetch): Promise<T | null> {
  try {
    const answer = await ask(path, { headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as T) : null;
  } catch {
    return null;
  }
}
