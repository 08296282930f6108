/** Ranking and course of a match, from its list of hands. */

import type { MahjongPlayedHand, Seat } from "../../../net/protocol";
import type { FullPosition } from "../position";

export interface Standing {
  seat: Seat;
  /** From 1; equal scores share a rank. */
  rank: number;
  score: number;
  wins: number;
  /** Wins by self-draw, which are among the wins. */
  selfDrawn: number;
  /** Winning tiles that this player discarded. */
  dealtIn: number;
}

/** Return the players by score, the highest first. */
export function standings({ players, hands }: FullPosition): readonly Standing[] {
  return players
    .map(({ score }, seat) => ({
      seat,
      rank: 1 + players.filter((other) => other.score > score).length,
      score,
      wins: hands.filter(({ winners = [] }) => winners.includes(seat)).length,
      selfDrawn: hands.filter(({ winners = [], payer = null }) => winners.includes(seat) && payer === null).length,
      dealtIn: hands.filter(({ payer = null }) => payer === seat).length,
    }))
    .sort((one, other) => one.rank - other.rank || one.seat - other.seat);
}

/** Return the scores of each seat: at the start, and after each hand. */
export function scoreCourses({ players, hands }: FullPosition): readonly (readonly number[])[] {
  return players.map(({ score }, seat) => {
    const changes = hands.map(({ delta }) => delta[seat] ?? 0);
    let sum = score - changes.reduce((total, change) => total + change, 0);
    return [sum, ...changes.map((change) => (sum += change))];
  });
}

/** Return round numbers for the axis of a chart that shows all scores, in order. */
export function axisMarks(scores: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(0, ...scores), Math.max(0, ...scores)];
  const rough = Math.max(1, (high - low) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 3, 5, 10].map((times) => times * power).find((size) => size >= rough)!;
  const first = Math.floor(low / step);
  return Array.from({ length: Math.max(1, Math.ceil(high / step)) - first + 1 }, (_, number) => (first + number) * step);
}

/** Return places for labels near the wanted ones, in order, at least `gap` apart and within the bounds. */
export function spreadLabels(wanted: readonly number[], gap: number, low: number, high: number): readonly number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[one]! - wanted[other]!);
  const placed = [...wanted];
  let least = low;
  for (const index of order) {
    placed[index] = Math.max(least, placed[index]!);
    least = placed[index]! + gap;
  }
  let most = high;
  for (const index of order.reverse()) {
    placed[index] = Math.min(most, placed[index]!);
    most = placed[index]! - gap;
  }
  return placed;
}

/** Return the round wind and the number of the deal in its round. */
export function dealOf({ place }: MahjongPlayedHand): { wind: number; deal: number } {
  return { wind: Math.floor(place / 4), deal: place % 4 };
}
