/** How the ratings of a category are distributed, and where one rating is among them. */

import type { Leaderboard, Rating } from "./ratingsApi";

/** Milliseconds without a rated game after which a player is not on a leaderboard, as on the server. */
const ACTIVE = 60 * 24 * 60 * 60 * 1000;

/** A bucket of ratings. */
export interface Bar {
  from: number;
  players: number;
  own: boolean;
}

type Distribution = Pick<Leaderboard, "bucket" | "distribution">;

/** Return all buckets from the lowest to the highest, also those without a player between them. */
export function barsOf({ bucket, distribution }: Distribution, own: number | null): readonly Bar[] {
  const counts = new Map(distribution);
  const [first, last] = [distribution[0]?.[0] ?? 0, distribution.at(-1)?.[0] ?? -1];
  const bars: Bar[] = [];
  for (let from = first; from <= last; from += bucket) {
    bars.push({ from, players: counts.get(from) ?? 0, own: own !== null && own >= from && own < from + bucket });
  }
  return bars;
}

/** Return the number of all players. */
export const playersOf = ({ distribution }: Pick<Leaderboard, "distribution">): number => distribution.reduce((sum, [, players]) => sum + players, 0);

/** Return the percentage of the other players whose rating is in a lower bucket. */
export function percentBelow({ bucket, distribution }: Distribution, own: number): number {
  const below = distribution.reduce((sum, [from, players]) => sum + (from + bucket <= own ? players : 0), 0);
  return Math.floor((100 * below) / Math.max(1, playersOf({ distribution }) - 1));
}

/** Why somebody is on a leaderboard or not. */
export type Standing = "none" | "provisional" | "inactive" | "ranked";

export function standingOf(rating: Rating | undefined, now: number): Standing {
  if (!rating) return "none";
  if (rating.provisional) return "provisional";
  return rating.last < now - ACTIVE ? "inactive" : "ranked";
}
