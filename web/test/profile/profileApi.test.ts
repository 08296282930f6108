/** Profiles: their requests, filters, results and curves. */

import { describe, expect, it, vi } from "vitest";
import { ALL_GAMES, fetchPersonGames, fetchProfile, gamesQuery, type PersonGame } from "../../src/profile/profileApi";
import { resultFor } from "../../src/profile/PersonGameRow";
import { curvePath, fetchRatings } from "../../src/ratings/ratingsApi";
import { sumOf } from "../../src/profile/ResultsCard";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const GAME: PersonGame = {
  room: "r-1",
  match: 2,
  game: "chess",
  title: "",
  began: 1,
  ended: 5,
  names: ["Ada", "Bo"],
  bots: ["", ""],
  winners: [1],
  reason: "mate",
  moves: 31,
  twist: "fog",
  profiles: ["Ada", ""],
  public: true,
  seat: 1,
};

/** Answers every request with a status and a body, and notes the addresses. */
function server(status: number, body: unknown): { ask: typeof fetch; asked: string[] } {
  const asked: string[] = [];
  const ask = async (path: RequestInfo | URL) => {
    asked.push(String(path));
    return new Response(JSON.stringify(body), { status });
  };
  return { ask: ask as typeof fetch, asked };
}

describe("games of a person", () => {
  it("are asked for with all filters that are set, by whole days of this place", () => {
    expect(gamesQuery(ALL_GAMES).toString()).toBe("limit=20");
    const query = gamesQuery({ ...ALL_GAMES, game: "chess", twist: "fog", result: "won", against: "bots", opponent: " Bo ", from: "2026-03-01", to: "2026-03-31" }, GAME);
    expect(Object.fromEntries(query)).toEqual({
      limit: "20",
      game: "chess",
      twist: "fog",
      result: "won",
      against: "bots",
      opponent: "Bo",
      since: String(new Date(2026, 2, 1).getTime()),
      until: String(new Date(2026, 3, 1).getTime()),
      after: "5-r-1-2",
    });
  });

  it("ignore dates that are not complete", () => {
    expect(gamesQuery({ ...ALL_GAMES, from: "", to: "nonsense" }).toString()).toBe("limit=20");
  });

  it("are those of a profile, or the own ones without a name", async () => {
    const { ask, asked } = server(200, { games: [GAME] });
    expect(await fetchPersonGames("小 明/", ALL_GAMES, undefined, ask)).toEqual([GAME]);
    await fetchPersonGames("", ALL_GAMES, GAME, ask);
    expect(asked).toEqual(["/api/people/%E5%B0%8F%20%E6%98%8E%2F/games?limit=20", "/api/my-games?limit=20&after=5-r-1-2"]);
  });

  it("were won, lost or drawn by their person", () => {
    expect(resultFor(GAME)).toBe("won");
    expect(resultFor({ ...GAME, seat: 0 })).toBe("lost");
    expect(resultFor({ ...GAME, winners: [] })).toBe("drawn");
    expect(resultFor({ ...GAME, seat: null })).toBeNull();
  });
});

describe("a profile", () => {
  it("is there, is not found, or could not be fetched", async () => {
    const profile = { name: "Ada", created: 1, you: false, results: [], longest_wins: 0, streak: { result: "", games: 0 } };
    expect(await fetchProfile("ada", server(200, profile).ask)).toEqual(profile);
    expect(await fetchProfile("ada", server(404, {}).ask)).toBe("not found");
    expect(await fetchProfile("ada", server(500, {}).ask)).toBe("failed");
    expect(await fetchProfile("ada", () => Promise.reject(new Error("cut")))).toBe("failed");
  });

  it("adds up results, without those that are not known", () => {
    expect(sumOf([["chess", "fog", "people", "won", 3], ["chess", "plain", "bots", "won", 2], ["gomoku", "", "people", "lost", 1], ["chess", "", "", "", 9]])).toEqual({ won: 5, drawn: 0, lost: 1 });
  });
});

describe("ratings", () => {
  it("are none on a server without ratings", async () => {
    expect(await fetchRatings("Ada", server(404, { error: "" }).ask)).toEqual([]);
    expect(await fetchRatings("Ada", server(200, "odd").ask)).toEqual([]);
  });

  it("have a curve from the left to the right, higher ratings higher up", () => {
    expect(curvePath([[1, 1500], [2, 1520], [3, 1510]])).toBe("M0.0 30.0L130.0 4.0L260.0 17.0");
    expect(curvePath([[1, 1500], [2, 1500]])).toBe("M0.0 17.0L260.0 17.0");
  });
});
