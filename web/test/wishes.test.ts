import { describe, expect, it } from "vitest";
import { TEXTS } from "../src/i18n/lobby";
import { FRESH, houseRules, middling, remember, remembered, type Wishes } from "../src/wishes";
import { waitsSince, waitText } from "../src/waits";
import type { GameCard } from "../src/wire";

const card = (seats: number, ...bots: string[]): GameCard => ({ name: "any", seats, bots, phrases: [] });
const TWO = card(2, "easy", "normal", "hard");
const FOUR = card(4, "easy", "normal", "hard");

function memory(text: string | null): Storage {
  let kept = text;
  return { getItem: () => kept, setItem: (_: string, value: string) => (kept = value) } as unknown as Storage;
}

describe("the house rules of a new table", () => {
  const rules = (some: Partial<Wishes>, game = TWO) => houseRules(game, { ...FRESH, ...some });

  it("are told only where they are not as usual", () => {
    expect(rules({})).toEqual({});
    expect(rules({ watchers: false, takebacks: false })).toEqual({ watchers: false, takebacks: false });
  });

  it("delay nobody where nobody may look on", () => {
    expect(rules({ delay: 60 })).toEqual({ delay: 60 });
    expect(rules({ delay: 60, watchers: false })).toEqual({ watchers: false });
  });

  it("say what becomes of a game when somebody is cut off", () => {
    expect(rules({ leaving: "wait" })).toEqual({ away: 0 });
    expect(rules({ leaving: "forfeit", away: 30 })).toEqual({ away: 30 });
    expect(rules({ leaving: "bot" })).toEqual({ away: 0, standin: "normal" });
    expect(rules({ leaving: "bot", standin: "hard" })).toEqual({ away: 0, standin: "hard" });
    expect(rules({ leaving: "bot" }, card(2)), "nobody can stand in").toEqual({ away: 0 });
  });

  it("let four play on without one of them", () => {
    expect(rules({ leaving: "forfeit", away: 30 }, FOUR)).toEqual({});
    expect(rules({ leaving: "wait", standin: "easy" }, FOUR)).toEqual({ standin: "easy" });
  });
});

describe("what was chosen last time", () => {
  it("comes back, as far as it is still understood", () => {
    const store = memory(null);
    const wishes: Wishes = { ...FRESH, bot: "hard", standin: "easy", delay: 300, leaving: "wait", seat: 1 };
    remember(TWO, wishes, store);
    expect(remembered(TWO, store)).toEqual(wishes);
    expect(remembered(card(2, "easy"), store)).toEqual({ ...wishes, bot: "" });
    expect(remembered(TWO, memory(null))).toEqual(FRESH);
    expect(remembered(TWO, memory('{"listed":false}'))).toEqual({ ...FRESH, listed: false });
    expect(remembered(TWO, memory("{"))).toEqual(FRESH);
  });

  it("is a computer that can be beaten, for whoever has not chosen one", () => {
    expect(middling(card(2, "perfect", "random"))).toBe("random");
    expect(middling(TWO)).toBe("normal");
    expect(middling(card(2))).toBe("");
  });
});

describe("a wait", () => {
  it("is counted from when the table was opened, or else from when it was first seen", () => {
    expect(waitsSince({ id: "a", since: 500 }, 9_000)).toBe(500);
    expect(waitsSince({ id: "b" }, 9_000)).toBe(9_000);
    expect(waitsSince({ id: "b" }, 12_000)).toBe(9_000);
  });

  it("is told in minutes and seconds", () => {
    expect([-5, 0, 59_999, 61_000, 3_605_000].map(waitText)).toEqual(["0:00", "0:00", "0:59", "1:01", "1:00:05"]);
  });

  it("says short times in seconds and long ones in minutes, in every language", () => {
    for (const { house } of Object.values(TEXTS)) {
      expect(house.time(30)).toMatch(/^30 /);
      expect(house.time(300)).toMatch(/^5 /);
    }
  });
});
