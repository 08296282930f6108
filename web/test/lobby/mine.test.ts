/** Games of the user: results, the request, and the table that began while the user played the computer. */

import { describe, expect, it, vi } from "vitest";
import type { TableState } from "../../src/net/store";
import type { OwnGame } from "../../src/lobby/mine/myGames";

vi.hoisted(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage });
});

const { fetchMyGames, fetchOwnSeat, ownResult } = await import("../../src/lobby/mine/myGames");
const { begunTable } = await import("../../src/lobby/mine/WaitingElsewhere");

const GAME: OwnGame = { room: "k3v9", match: 2, game: "chess", title: "", began: 1, ended: 5_000, names: ["Ada", "Bo"], bots: ["", ""], winners: [0], reason: "mate", moves: 9, twist: "", profiles: [], public: false, seat: 0 };

describe("a finished game", () => {
  it("was won, lost or drawn by the user, or its seat is not known", () => {
    expect(ownResult(GAME)).toBe("won");
    expect(ownResult({ ...GAME, seat: 1 })).toBe("lost");
    expect(ownResult({ ...GAME, winners: [] })).toBe("drawn");
    expect(ownResult({ ...GAME, seat: null })).toBeNull();
  });

  it("is asked for with the token, after the last one of the page before", async () => {
    const asked: [string, RequestInit | undefined][] = [];
    const answer = (ok: boolean) => (async (path: string, init?: RequestInit) => {
      asked.push([path, init]);
      return { ok, json: async () => ({ games: [GAME] }) };
    }) as unknown as typeof fetch;
    expect(await fetchMyGames(undefined, "secret", answer(true))).toEqual([GAME]);
    expect(await fetchMyGames(GAME, "secret", answer(false))).toBeNull();
    expect(asked.map(([path]) => path)).toEqual(["/api/my-games?limit=20", "/api/my-games?limit=20&after=5000-k3v9-2"]);
    for (const [, init] of asked) expect(init?.headers).toMatchObject({ authorization: "Bearer secret" });
    const broken = (async () => Promise.reject(new Error("offline"))) as unknown as typeof fetch;
    expect(await fetchMyGames(undefined, "secret", broken)).toBeNull();
  });
});

describe("the seat that the user had", () => {
  const answer = (...games: OwnGame[]) => (async (path: string) => {
    expect(path).toBe("/api/my-games?limit=1&after=5000-k3v9-3");
    return { ok: true, json: async () => ({ games }) };
  }) as unknown as typeof fetch;

  it("is found by the time of the end", async () => {
    expect(await fetchOwnSeat(GAME, 5_000, "secret", answer({ ...GAME, seat: 1 }))).toBe(1);
  });

  it("is null for a game of others and for a visitor without games", async () => {
    expect(await fetchOwnSeat(GAME, 5_000, "secret", answer({ ...GAME, match: 1 }))).toBeNull();
    expect(await fetchOwnSeat(GAME, 5_000, "secret", answer())).toBeNull();
    expect(await fetchOwnSeat(GAME, 5_000, "", answer(GAME))).toBeNull();
  });
});

describe("a table that waited", () => {
  const seen = (id: string, phase: string, seats: readonly object[], you: number | null = 0) => ({ room: { id, phase, seats }, you }) as unknown as TableState;
  const ada = { name: "Ada" };
  const aside = seen("bots", "playing", [ada, { name: "Easy", bot: "easy" }]);
  const begun = seen("match", "playing", [ada, { name: "Bo" }]);

  it("is shown when it begins while the user plays the computer", () => {
    const tables = { bots: aside, match: begun };
    expect(begunTable(["match"], tables, aside)).toBe(begun.room);
    expect(begunTable([], tables, aside)).toBeNull();
    expect(begunTable(["match"], { ...tables, match: seen("match", "waiting", [ada]) }, aside)).toBeNull();
    expect(begunTable(["match"], { bots: aside }, aside)).toBeNull();
  });

  it("does not take the user away from other people, from the lobby or from watching", () => {
    const tables = { match: begun };
    expect(begunTable(["match"], tables, undefined)).toBeNull();
    expect(begunTable(["match"], tables, seen("other", "playing", [ada, { name: "Cy" }]))).toBeNull();
    expect(begunTable(["match"], tables, seen("watched", "playing", [{ name: "Cy", bot: "easy" }], null))).toBeNull();
  });
});
