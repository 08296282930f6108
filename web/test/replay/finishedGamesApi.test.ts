/** Requests for finished games. */

import { describe, expect, it } from "vitest";
import { fetchFinishedGames, finishedGamesPath, gameResult, playerName, winnersOf, type FinishedGame } from "../../src/replay/finishedGamesApi";

const GAME: FinishedGame = {
  room: "abc", match: 2, game: "chess", title: "", began: 1, ended: 5, names: ["Ada", "Bo"], bots: ["", ""],
  winners: [0], reason: "mate", moves: 31, twist: "", profiles: [],
};
const answer = (status: number, body: unknown) => (() => Promise.resolve(new Response(JSON.stringify(body), { status }))) as typeof fetch;

describe("finished games", () => {
  it("are requested by player, game and the last one of the previous page", () => {
    expect(finishedGamesPath({ player: "", game: "" })).toBe("/api/games?limit=20");
    expect(finishedGamesPath({ player: " 小明 & co ", game: "gomoku" })).toBe("/api/games?limit=20&player=%E5%B0%8F%E6%98%8E+%26+co&game=gomoku");
    expect(finishedGamesPath({ player: "", game: "" }, GAME)).toBe("/api/games?limit=20&after=5-abc-2");
  });

  it("are a list, or null if the request failed", async () => {
    const filter = { player: "", game: "" };
    expect(await fetchFinishedGames(filter, undefined, answer(200, { games: [GAME] }))).toEqual([GAME]);
    expect(await fetchFinishedGames(filter, undefined, answer(503, { error: "later" }))).toBeNull();
    expect(await fetchFinishedGames(filter, undefined, (() => Promise.reject(new TypeError("no line"))) as typeof fetch)).toBeNull();
  });

  it("have the names of their players and a result", () => {
    expect(playerName(GAME, 0)).toBe("Ada");
    expect(gameResult(GAME)).toContain("Ada won");
    expect(gameResult({ ...GAME, winners: [] })).toContain("Draw");
  });

  it("have no winner if the only person left several bots", () => {
    const left: FinishedGame = { ...GAME, game: "mahjong", names: ["Ada", "", "", ""], bots: ["", "random", "random", "random"], winners: [1, 2, 3], reason: "left" };
    expect(winnersOf(left)).toEqual([]);
    expect(gameResult(left)).toBe("Game ended early");
  });
});
