import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../src/i18n";
import { clockText } from "../src/listing";
import { planOf, USUAL } from "../src/parts/plan";

const PLANS = [null, { main: [60_000], increment: 0 }];

describe("a clock", () => {
  it("is one of the usual ones, or none", () => {
    expect(planOf({ ...USUAL, place: 1 }, PLANS, 0)).toBe(PLANS[1]);
    expect(planOf(USUAL, PLANS, 0)).toBe(null);
    expect(planOf({ ...USUAL, place: 9 }, PLANS, 0)).toBe(null);
  });

  it("may be one's own, the same for both or not", () => {
    const own = { place: -1, minutes: 3, other: null, seconds: 2 };
    expect(planOf(own, PLANS, 1)).toEqual({ main: [180_000], increment: 2000 });
    expect(planOf({ ...own, other: 1 }, PLANS, 0)).toEqual({ main: [180_000, 60_000], increment: 2000 });
    expect(planOf({ ...own, other: 1 }, PLANS, 1)).toEqual({ main: [60_000, 180_000], increment: 2000 });
  });

  it("is told in a few words", () => {
    const text = (main: number[], increment: number) => clockText({ main, increment }, LANGUAGES.en);
    expect(text([300_000], 0)).toBe("5 min");
    expect(text([300_000], 3000)).toBe("5 min + 3 s a move");
    expect(text([300_000, 60_000], 0)).toBe("5 min / 1 min");
  });
});
