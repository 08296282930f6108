/** Texts of a table in the list. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { shortClockText, clockText, tableSummary, type TitledRow } from "../../src/lobby/tableSummary";
import type { Phase } from "../../src/net/protocol";
import { CASES, TestRandom } from "../testRandom";

const LETTERS = [..."ABCdef 棋手<>&\"'"];
const PHASES: readonly Phase[] = ["waiting", "playing", "over", "closed"];

describe("Property 17: Room List Display Completeness", () => {
  it("shows code, name, players or open seats, status and spectators of any table, in every language", () => {
    const random = new TestRandom(17);
    for (let number = 0; number < CASES; number++) {
      const player = () => (random.below(2) ? `P${random.text(LETTERS, 18)}` : null);
      const row: TitledRow = {
        id: `r${number}`,
        code: String(1000 + random.below(999_000)),
        game: random.one(["gomoku", "tictactoe", "unheard-of"]),
        phase: random.one(PHASES),
        names: [player(), player()],
        ...(random.below(2) ? { spectators: random.below(2000) } : {}),
        ...(random.below(2) ? { title: `T${random.text(LETTERS, 29)}` } : {}),
      };
      for (const texts of Object.values(TEXTS)) {
        const summary = tableSummary(row, texts);
        expect(summary.code).toBe(row.code);
        expect(summary.game).toBe(row.game === "unheard-of" ? row.game : texts.games[row.game as "gomoku"].name);
        expect(summary.name).toBe(row.title ?? summary.game);
        expect(summary.players.map(({ name }) => name)).toEqual(row.names.map((name) => name ?? texts.lobby.emptySeat));
        expect(summary.players.map(({ free }) => free)).toEqual(row.names.map((name) => name === null));
        expect(summary.status).toBe(texts.lobby.phase[row.phase]);
        expect(summary.spectators).toContain(String(row.spectators ?? 0));
      }
    }
  });

  it("shows the options that differ from the default", () => {
    const row: TitledRow = { id: "r", code: "1", game: "any", phase: "waiting", names: [] };
    const tags = (options: object) => Object.keys(options);
    expect(tableSummary(row, TEXTS.en, tags).tags).toEqual([]);
    expect(tableSummary({ ...row, options: null }, TEXTS.en, tags).tags).toEqual([]);
    expect(tableSummary({ ...row, options: { fog: true } }, TEXTS.en, tags).tags).toEqual(["fog"]);
    expect(tableSummary({ ...row, options: { fog: true } }, TEXTS.en).tags).toEqual([]);
  });

  it("shows bots and disconnected players", () => {
    const seats = [{ name: "Ada", disconnected: true }, { name: "Normal", bot: "normal" }, null];
    const row: TitledRow = { id: "r", code: "1", game: "any", phase: "playing", names: ["Ada", "Normal", null], seats };
    const players = tableSummary(row, TEXTS.en).players.map(({ bot, disconnected }) => [bot, disconnected]);
    expect(players).toEqual([["", true], ["normal", false], ["", false]]);
  });

  it("describes the clock", () => {
    const { en } = TEXTS;
    expect(clockText({ main: [180_000], increment: 2_000 }, en)).toBe("3 min + 2 s per move");
    expect(clockText({ move: 30_000 }, en)).toBe("30 s per move");
    expect(clockText({}, en)).toBe("Unlimited");
    expect(clockText({ main: [25_000] }, en)).toBe("0.42 min");
    expect(shortClockText({ main: [180_000], increment: 2_000 }, en)).toBe("3+2");
    expect(shortClockText({ main: [180_000, 60_000] }, en)).toBe("3/1+0");
    expect(shortClockText({ move: 30_000 }, en)).toBe("30 s");
    expect(shortClockText({}, en)).toBe("Unlimited");
  });
});
