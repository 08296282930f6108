/** Fetches the ratings of a person. */

import type { Millis } from "../net/protocol";

export interface Rating {
  /** The game, and what of it, such as `chess-blitz`. */
  category: string;
  rating: number;
  provisional: boolean;
  games: number;
  /** By how much the last game changed the rating. */
  change: number;
  /** End of each of the last games and the rating after it, the oldest first. */
  curve: readonly (readonly [Millis, number])[];
}

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
