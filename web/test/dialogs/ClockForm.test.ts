/** Clock presets and custom clocks. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { clockText } from "../../src/lobby/tableSummary";
import { clockPlanOf, DEFAULT_CHOICE } from "../../src/dialogs/ClockForm";

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

  it("has a short text", () => {
    const text = (main: number[], increment: number) => clockText({ main, increment }, TEXTS.en);
    expect(text([300_000], 0)).toBe("5 min");
    expect(text([300_000], 3000)).toBe("5 min + 3 s per move");
    expect(text([300_000, 60_000], 0)).toBe("5 min / 1 min");
  });
});
