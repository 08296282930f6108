/** Leaderboards: the category that is shown first, the bars of a distribution, and the own place. */

import { describe, expect, it, vi } from "vitest";
import { mostPlayed } from "../../src/ratings/LeaderboardPage";
import { barsOf, percentBelow, playersOf, standingOf } from "../../src/ratings/ratingBars";
import type { Rating } from "../../src/ratings/ratingsApi";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const DAY = 24 * 60 * 60 * 1000;
const NOW = 100 * DAY;
const RATING: Rating = { category: "chess-blitz", rating: 1512, provisional: false, games: 30, last: NOW - DAY, change: 8, curve: [] };
const BOARD = { bucket: 50, distribution: [[1400, 3], [1500, 4], [1650, 1]] as const };

describe("the category that is shown first", () => {
  it("is the one with most players, the first of equals", () => {
    const categories = [["chess-bullet", 0], ["chess-blitz", 7], ["gomoku-free", 7]].map(([category, players]) => ({ category: String(category), players: Number(players) }));
    expect(mostPlayed(categories)).toBe("chess-blitz");
    expect(mostPlayed(categories.map((one) => ({ ...one, players: 0 })))).toBe("chess-bullet");
    expect(mostPlayed([])).toBe("");
  });
});

describe("a distribution", () => {
  it("has a bar for every bucket from the lowest to the highest, and marks the own one", () => {
    expect(barsOf(BOARD, 1512).map(({ from, players }) => [from, players])).toEqual([[1400, 3], [1450, 0], [1500, 4], [1550, 0], [1600, 0], [1650, 1]]);
    expect(barsOf(BOARD, 1512).filter(({ own }) => own).map(({ from }) => from)).toEqual([1500]);
    expect(barsOf(BOARD, 1549.9).find(({ own }) => own)?.from).toBe(1500);
    expect(barsOf(BOARD, null).some(({ own }) => own)).toBe(false);
    expect(barsOf({ bucket: 50, distribution: [] }, 1500)).toEqual([]);
  });

  it("has all players, and those below a rating among the others", () => {
    expect(playersOf(BOARD)).toBe(8);
    expect(percentBelow(BOARD, 1512)).toBe(42);
    expect(percentBelow(BOARD, 1660)).toBe(100);
    expect(percentBelow(BOARD, 1410)).toBe(0);
    expect(percentBelow({ bucket: 50, distribution: [[1500, 1]] }, 1512)).toBe(0);
  });
});

describe("a player", () => {
  it("is ranked with a settled rating and a game within sixty days", () => {
    expect(standingOf(undefined, NOW)).toBe("none");
    expect(standingOf({ ...RATING, provisional: true }, NOW)).toBe("provisional");
    expect(standingOf(RATING, NOW)).toBe("ranked");
    expect(standingOf({ ...RATING, last: NOW - 60 * DAY }, NOW)).toBe("ranked");
    expect(standingOf({ ...RATING, last: NOW - 60 * DAY - 1 }, NOW)).toBe("inactive");
  });
});
