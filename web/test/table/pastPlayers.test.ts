/** Names of players who have left a finished game. */

import { describe, expect, it, vi } from "vitest";

vi.hoisted(() => Object.assign(globalThis, { sessionStorage: { getItem: () => null, setItem: () => undefined } }));

const { withPastPlayers } = await import("../../src/table/result/pastPlayers");

describe("the players of a finished game", () => {
  it("are those at the table, and those of the replay where a seat is empty", () => {
    const ada = { name: "Ada", bot: "" };
    const replay = { names: ["Someone", "Bo", ""], bots: ["", "", ""] };
    expect(withPastPlayers({ players: [ada, null, null] }, replay)).toEqual([ada, { name: "Bo", bot: "" }, null]);
    expect(withPastPlayers({ players: [null, ada] }, { names: ["Hatchling", "x"], bots: ["level1", ""] })[0]).toEqual({ name: "Hatchling", bot: "level1" });
  });
});
