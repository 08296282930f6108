import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../src/i18n";
import { clockBrief, clockText, listing, type TitledRow } from "../src/listing";
import type { Phase } from "../src/wire";
import { CASES, Chance } from "./chance";

const LETTERS = [..."ABCdef 棋手<>&\"'"];
const PHASES: readonly Phase[] = ["waiting", "playing", "over", "closed"];

describe("Property 17: Room List Display Completeness", () => {
  it("tells code, name, both players or free seats, status and watchers of any table, in every language", () => {
    const chance = new Chance(17);
    for (let number = 0; number < CASES; number++) {
      const player = () => (chance.below(2) ? `P${chance.text(LETTERS, 18)}` : null);
      const row: TitledRow = {
        id: `r${number}`,
        code: String(1000 + chance.below(999_000)),
        game: chance.one(["gomoku", "tictactoe", "unheard-of"]),
        phase: chance.one(PHASES),
        names: [player(), player()],
        ...(chance.below(2) ? { watchers: chance.below(2000) } : {}),
        ...(chance.below(2) ? { title: `T${chance.text(LETTERS, 29)}` } : {}),
      };
      for (const words of Object.values(LANGUAGES)) {
        const told = listing(row, words);
        expect(told.code).toBe(row.code);
        expect(told.game).toBe(row.game === "unheard-of" ? row.game : words.games[row.game as "gomoku"]);
        expect(told.name).toBe(row.title ?? told.game);
        expect(told.players.map(({ name }) => name)).toEqual(row.names.map((name) => name ?? words.lobby.free));
        expect(told.players.map(({ free }) => free)).toEqual(row.names.map((name) => name === null));
        expect(told.status).toBe(words.lobby.phase[row.phase]);
        expect(told.watchers).toContain(String(row.watchers ?? 0));
      }
    }
  });

  it("says by the game's own words what is not as usual", () => {
    const row: TitledRow = { id: "r", code: "1", game: "any", phase: "waiting", names: [] };
    const tags = (options: object) => Object.keys(options);
    expect(listing(row, LANGUAGES.en, tags).tags).toEqual([]);
    expect(listing({ ...row, options: null }, LANGUAGES.en, tags).tags).toEqual([]);
    expect(listing({ ...row, options: { fog: true } }, LANGUAGES.en, tags).tags).toEqual(["fog"]);
    expect(listing({ ...row, options: { fog: true } }, LANGUAGES.en).tags).toEqual([]);
  });

  it("tells computers, and who is out of reach", () => {
    const seats = [{ name: "Ada", away: true }, { name: "Normal", bot: "normal" }, null];
    const row: TitledRow = { id: "r", code: "1", game: "any", phase: "playing", names: ["Ada", "Normal", null], seats };
    const players = listing(row, LANGUAGES.en).players.map(({ bot, away }) => [bot, away]);
    expect(players).toEqual([["", true], ["normal", false], ["", false]]);
  });

  it("says how time is given", () => {
    const { en } = LANGUAGES;
    expect(clockText({ main: [180_000], increment: 2_000 }, en)).toBe("3 min + 2 s a move");
    expect(clockText({ move: 30_000 }, en)).toBe("30 s for each move");
    expect(clockText({}, en)).toBe("No clock");
    expect(clockBrief({ main: [180_000], increment: 2_000 }, en)).toBe("3+2");
    expect(clockBrief({ main: [180_000, 60_000] }, en)).toBe("3/1+0");
    expect(clockBrief({ move: 30_000 }, en)).toBe("30 s");
    expect(clockBrief({}, en)).toBe("No clock");
  });
});
