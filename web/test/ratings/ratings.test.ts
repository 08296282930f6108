/** Ratings beside names, and what a finished game changed. */

import { describe, expect, it, vi } from "vitest";
import { addRatingChanges, PAUSES } from "../../src/ratings/fetchChanges";
import { ratingAfter, ratingChanges, type GameRatings } from "../../src/ratings/ratingChanges";
import { changeText } from "../../src/ratings/RatingText";
import { EMPTY_STATE, reduce } from "../../src/net/store";
import type { FullRoom } from "../../src/net/protocol";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const NONE: GameRatings = { category: "", changes: [] };
const FOUND: GameRatings = {
  category: "chess-blitz",
  changes: [
    { seat: 0, name: "Ada", after: 1532.4, change: 8.2, provisional: false },
    { seat: 1, name: "Bo", after: 1489.6, change: -8.4, provisional: true },
  ],
};

/** Answers one after the other, the last one again and again; an error for null. */
function server(...answers: (GameRatings | null)[]): { ask: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const ask = async (path: RequestInfo | URL) => {
    asked.push(String(path));
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    return answer ? new Response(JSON.stringify(answer)) : new Response("{}", { status: 500 });
  };
  return { ask: ask as typeof fetch, asked };
}

function waits(): { wait: (pause: number) => Promise<void>; waited: number[] } {
  const waited: number[] = [];
  return { wait: async (pause) => void waited.push(pause), waited };
}

describe("the changes of a finished game", () => {
  it("are asked for again until the match is archived", async () => {
    const [{ ask, asked }, { wait, waited }] = [server(NONE, null, NONE, FOUND), waits()];
    await addRatingChanges("late", 2, ask, wait);
    expect(asked).toEqual(Array(4).fill("/api/games/late/2/ratings"));
    expect(waited).toEqual(PAUSES.slice(0, 3));
    expect(ratingChanges.value["late 2"]).toEqual(FOUND);
  });

  it("are asked for once, though several parts of the page show them", async () => {
    const { ask, asked } = server(FOUND);
    await Promise.all([addRatingChanges("once", 1, ask), addRatingChanges("once", 1, ask)]);
    await addRatingChanges("once", 1, ask);
    expect(asked).toHaveLength(1);
  });

  it("are not asked for without end if the game did not count", async () => {
    const [{ ask, asked }, { wait }] = [server(NONE), waits()];
    await addRatingChanges("short", 1, ask, wait);
    expect(asked).toHaveLength(PAUSES.length + 1);
    expect(ratingChanges.value["short 1"]).toEqual(NONE);
  });

  it("are unknown without an answer, and asked for again later", async () => {
    const { wait } = waits();
    await addRatingChanges("away", 1, server(null).ask, wait);
    expect(ratingChanges.value["away 1"]).toBeUndefined();
    await addRatingChanges("away", 1, server(FOUND).ask, wait);
    expect(ratingChanges.value["away 1"]).toEqual(FOUND);
  });

  it("are shown rounded, by seat", () => {
    expect(ratingAfter(FOUND, 1)).toEqual({ rating: { rating: 1490, provisional: true }, change: -8.4 });
    expect(ratingAfter(FOUND, 2)).toBeUndefined();
    expect(ratingAfter(undefined, 0)).toBeUndefined();
  });

  it("have a sign, which a loss shares with no other dash", () => {
    expect([8.2, 0.4, -0.4, -8.4].map(changeText)).toEqual(["+8", "±0", "±0", "−8"]);
  });
});

describe("the ratings of a table", () => {
  const room = { id: "r", code: "R", game: "chess", options: {}, table: { rated: true }, phase: "playing", seats: [{ name: "Ada" }, { name: "Bo" }], match: 1, commitment: "" } as const;
  const full: FullRoom = { type: "room", room, version: 3, at: 1, you: null };

  it("come with the room and change with a notice", () => {
    const first = reduce(EMPTY_STATE, { ...full, room: { ...room, ratings: [{ rating: 1500, provisional: true }, null] } }).state;
    expect(first.tables.r?.room.ratings[0]).toEqual({ rating: 1500, provisional: true });
    const ratings = [{ rating: 1510 }, { rating: 1490, provisional: true }];
    expect(reduce(first, { type: "ratings", room: "r", ratings }).state.tables.r?.room.ratings).toEqual(ratings);
  });

  it("are none at other tables, and those of another table change nothing", () => {
    const { state } = reduce(EMPTY_STATE, full);
    expect(state.tables.r?.room.ratings).toEqual([]);
    expect(reduce(state, { type: "ratings", room: "x", ratings: [] }).state).toBe(state);
  });
});
