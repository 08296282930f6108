/** Warnings about low time: at which clocks, when, and how often. */

import { describe, expect, it } from "vitest";
import { lowTime, nextLowTime, startTime, type LowTime } from "../../src/table/inPlay/lowTime";

const FIVE_MINUTES = 300_000;

/** Return the warnings that a clock gives as its time changes, by seconds left. */
function warnings(seconds: readonly number[], start = FIVE_MINUTES): readonly (readonly [number, LowTime])[] {
  let before: LowTime | null = null;
  return seconds.flatMap((left) => {
    const now: LowTime = nextLowTime(before, left * 1000, start);
    const isNew = before !== null && now > before;
    before = now;
    return isNew ? [[left, now] as const] : [];
  });
}

describe("low time", () => {
  it("has two steps, below 20 and below 10 seconds", () => {
    expect([60_000, 20_000, 19_999, 10_000, 9_999, 0].map((left) => lowTime(left, FIVE_MINUTES))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it("is never warned about at a limit that the clock starts below", () => {
    expect([30_000, 19_000, 9_000].map((left) => lowTime(left, 30_000))).toEqual([0, 1, 2]);
    expect([20_000, 15_000, 9_000].map((left) => lowTime(left, 20_000))).toEqual([0, 0, 2]);
    expect([10_000, 5_000, 0].map((left) => lowTime(left, 10_000))).toEqual([0, 0, 0]);
    expect(lowTime(5_000, 0)).toBe(0);
  });

  it("of a limit per move counts only if the limit is long", () => {
    const at = (move: number, left: number) => lowTime(left, startTime({ main: [0], move }, 1));
    expect([19_000, 9_000].map((left) => at(60_000, left))).toEqual([1, 2]);
    expect([19_000, 9_000].map((left) => at(30_000, left))).toEqual([0, 2]);
    expect([19_000, 9_000].map((left) => at(20_000, left))).toEqual([0, 0]);
    expect(lowTime(19_000, startTime({ main: [600_000], move: 30_000 }, 0))).toBe(0);
  });

  it("knows the time of each seat", () => {
    expect(startTime({ main: [60_000, 15_000] }, 1)).toBe(15_000);
    expect(startTime({ main: [60_000] }, 1)).toBe(60_000);
    expect(startTime({}, 0)).toBe(0);
  });
});

describe("a warning", () => {
  it("is given once at each step while a clock runs down", () => {
    expect(warnings([21, 20.1, 19.9, 19.8, 12, 10.1, 9.9, 9, 1, 0])).toEqual([[19.9, 1], [9.9, 2]]);
  });

  it("is not given for a clock that was low when the table was opened", () => {
    expect(warnings([15, 14, 13])).toEqual([]);
    expect(warnings([15, 9.5])).toEqual([[9.5, 2]]);
  });

  it("is given for the lower step alone if the time between was not seen", () => {
    expect(warnings([25, 8])).toEqual([[8, 2]]);
  });

  it("is not repeated if an increment lifts the clock by less than a second above the limit", () => {
    expect(warnings([20.5, 19.5, 20.6, 20.9, 19.9])).toEqual([[19.5, 1]]);
    expect(warnings([11, 9.2, 10.9, 9.9])).toEqual([[9.2, 2]]);
  });

  it("is given again after the clock was clearly above the limit", () => {
    expect(warnings([21, 19.5, 21.5, 19.9])).toEqual([[19.5, 1], [19.9, 1]]);
    expect(warnings([21, 9.5, 14.5, 9.9])).toEqual([[9.5, 2], [9.9, 2]]);
  });
});
