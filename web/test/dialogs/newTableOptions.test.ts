/** Options of a new table, and waiting times. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { DEFAULT_OPTIONS, tableRulesFrom, mediumBot, saveOptions, loadOptions, type NewTableOptions } from "../../src/dialogs/newTableOptions";
import { waitingSince, durationText } from "../../src/lobby/waitingTime";
import type { GameDescription } from "../../src/net/protocol";

const card = (seats: number, ...bots: string[]): GameDescription => ({ name: "any", seats, bots, phrases: [] });
const TWO = card(2, "easy", "normal", "hard");
const FOUR = card(4, "easy", "normal", "hard");

function memory(text: string | null): Storage {
  let kept = text;
  return { getItem: () => kept, setItem: (_: string, value: string) => (kept = value) } as unknown as Storage;
}

describe("the rules of a new table", () => {
  const rules = (some: Partial<NewTableOptions>, game = TWO) => tableRulesFrom(game, { ...DEFAULT_OPTIONS, ...some });

  it("are sent only if they differ from the default", () => {
    expect(rules({})).toEqual({});
    expect(rules({ spectators: false, undoAllowed: false })).toEqual({ spectators: false, undo_allowed: false });
  });

  it("admit programs that see hidden information only if chosen", () => {
    expect(rules({ seesHiddenAllowed: true })).toEqual({ sees_hidden_allowed: true });
  });

  it("have no delay if spectators are not allowed", () => {
    expect(rules({ delay: 60 })).toEqual({ spectator_delay: 60 });
    expect(rules({ delay: 60, spectators: false })).toEqual({ spectators: false });
  });

  it("contain the absence policy", () => {
    expect(rules({ absencePolicy: "wait" })).toEqual({ disconnect_timeout: 0 });
    expect(rules({ absencePolicy: "forfeit", forfeitAfter: 30 })).toEqual({ disconnect_timeout: 30 });
    expect(rules({ absencePolicy: "bot" })).toEqual({ disconnect_timeout: 0, substitute_bot: "normal" });
    expect(rules({ absencePolicy: "bot", substituteBot: "hard" })).toEqual({ disconnect_timeout: 0, substitute_bot: "hard" });
    expect(rules({ absencePolicy: "bot" }, card(2)), "nobody can stand in").toEqual({ disconnect_timeout: 0 });
  });

  it("use a bot for absent players with more than two seats", () => {
    expect(rules({ absencePolicy: "forfeit", forfeitAfter: 30 }, FOUR)).toEqual({});
    expect(rules({ absencePolicy: "wait", substituteBot: "easy" }, FOUR)).toEqual({ substitute_bot: "easy" });
  });
});

describe("the options chosen last", () => {
  it("are restored as far as they are valid", () => {
    const store = memory(null);
    const chosen: NewTableOptions = { ...DEFAULT_OPTIONS, bot: "hard", substituteBot: "easy", delay: 300, absencePolicy: "wait", seat: 1 };
    saveOptions(TWO, chosen, store);
    expect(loadOptions(TWO, {}, store)).toEqual(chosen);
    expect(loadOptions(card(2, "easy"), {}, store)).toEqual({ ...chosen, bot: "" });
    expect(loadOptions(TWO, {}, memory(null))).toEqual(DEFAULT_OPTIONS);
    expect(loadOptions(TWO, {}, memory('{"listed":false}'))).toEqual({ ...DEFAULT_OPTIONS, listed: false });
    expect(loadOptions(TWO, {}, memory("{"))).toEqual(DEFAULT_OPTIONS);
    for (const stored of [null, "{", '{"options":{}}']) expect(loadOptions(FOUR, { tiles: 16 }, memory(stored)).options).toEqual({ tiles: 16 });
    expect(loadOptions(FOUR, { tiles: 16 }, memory('{"options":{"tiles":13}}')).options).toEqual({ tiles: 13 });
  });

  it("default to a bot of medium strength", () => {
    expect(mediumBot(card(2, "perfect", "random"))).toBe("random");
    expect(mediumBot(TWO)).toBe("normal");
    expect(mediumBot(card(2))).toBe("");
  });
});

describe("a waiting time", () => {
  it("is counted from when the table was opened, or else from when it was first seen", () => {
    expect(waitingSince({ id: "a", since: 500 }, 9_000)).toBe(500);
    expect(waitingSince({ id: "b" }, 9_000)).toBe(9_000);
    expect(waitingSince({ id: "b" }, 12_000)).toBe(9_000);
  });

  it("is shown in minutes and seconds", () => {
    expect([-5, 0, 59_999, 61_000, 3_605_000].map(durationText)).toEqual(["0:00", "0:00", "0:59", "1:01", "1:00:05"]);
  });

  it("says short times in seconds and long ones in minutes, in every language", () => {
    for (const { tableRules } of Object.values(TEXTS)) {
      expect(tableRules.time(30)).toMatch(/^30 /);
      expect(tableRules.time(300)).toMatch(/^5 /);
    }
  });
});
