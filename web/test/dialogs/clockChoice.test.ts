/** Clock presets and custom clocks. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { clockText } from "../../src/lobby/tableSummary";
import { clockPlanOf, compensatesLag, DEFAULT_CHOICE } from "../../src/dialogs/clockChoice";

const PLANS = [null, { main: [60_000], increment: 0 }];

describe("a clock", () => {
  it("is a preset or none", () => {
    expect(clockPlanOf({ ...DEFAULT_CHOICE, preset: 1 }, PLANS, 0)).toBe(PLANS[1]);
    expect(clockPlanOf(DEFAULT_CHOICE, PLANS, 0)).toBe(null);
    expect(clockPlanOf({ ...DEFAULT_CHOICE, preset: 9 }, PLANS, 0)).toBe(null);
  });

  it("may be custom, with different times", () => {
    const own = { preset: -1, minutes: 3, other: null, seconds: 2 };
    expect(clockPlanOf(own, PLANS, 1)).toEqual({ main: [180_000], increment: 2000 });
    expect(clockPlanOf({ ...own, other: 1 }, PLANS, 0)).toEqual({ main: [180_000, 60_000], increment: 2000 });
    expect(clockPlanOf({ ...own, other: 1 }, PLANS, 1)).toEqual({ main: [60_000, 180_000], increment: 2000 });
  });

  it("may compensate lag, if it has a budget", () => {
    const own = { preset: -1, minutes: 3, other: null, seconds: 2, lagCompensation: false };
    expect(clockPlanOf(own, PLANS, 0)).toEqual({ main: [180_000], increment: 2000, lag_compensation: false });
    expect(clockPlanOf({ ...DEFAULT_CHOICE, preset: 0, lagCompensation: true }, [{ move: 30_000 }], 0)).toEqual({ move: 30_000 });
    expect([{ main: [599_000] }, { main: [600_000] }, { main: [60_000, 900_000] }, { move: 30_000 }].map(compensatesLag)).toEqual([true, false, false, false]);
    expect(compensatesLag({ main: [60_000], lag_compensation: false })).toBe(false);
  });

  it("has a short text", () => {
    const text = (main: number[], increment: number) => clockText({ main, increment }, TEXTS.en);
    expect(text([300_000], 0)).toBe("5 min");
    expect(text([300_000], 3000)).toBe("5 min + 3 s per move");
    expect(text([300_000, 60_000], 0)).toBe("5 min / 1 min");
  });
});
