import { describe, expect, it } from "vitest";
import { fetchPast, pastPath, type Past } from "../src/past";

const GAME: Past = {
  room: "abc", match: 2, game: "chess", title: "", began: 1, ended: 5, names: ["Ada", "Bo"], bots: ["", ""],
  winners: [0], reason: "mate", moves: 31,
};
const answer = (status: number, body: unknown) => (() => Promise.resolve(new Response(JSON.stringify(body), { status }))) as typeof fetch;

describe("finished games", () => {
  it("are asked for by player, game and the last one of the page before", () => {
    expect(pastPath({ player: "", game: "" })).toBe("/api/games?limit=20");
    expect(pastPath({ player: " 小明 & co ", game: "gomoku" })).toBe("/api/games?limit=20&player=%E5%B0%8F%E6%98%8E+%26+co&game=gomoku");
    expect(pastPath({ player: "", game: "" }, GAME)).toBe("/api/games?limit=20&after=5-abc-2");
  });

  it("come as a list, or as nothing where there is no answer", async () => {
    const wish = { player: "", game: "" };
    expect(await fetchPast(wish, undefined, answer(200, { games: [GAME] }))).toEqual([GAME]);
    expect(await fetchPast(wish, undefined, answer(503, { error: "later" }))).toBeNull();
    expect(await fetchPast(wish, undefined, (() => Promise.reject(new TypeError("no line"))) as typeof fetch)).toBeNull();
  });
});
