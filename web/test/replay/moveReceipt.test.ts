/** Receipts of moves in a replay. */

import { describe, expect, it } from "vitest";
import { TEXTS } from "../allTexts";
import { receiptOf } from "../../src/replay/moveReceipt";
import type { ClockView, Frame } from "../../src/net/protocol";

const clock = (more: Partial<ClockView>): ClockView => ({ left: [60_000, 60_000], running: [0], grants: [null, null], since: [1_000, null], at: 1_000, ...more });
const frame = (at: number, actor: 0 | 1 | null, clock: ClockView | null): Frame => ({ version: 1, at, actor, events: [], position: null!, to_act: [], clock });

describe("the receipt of a move", () => {
  it("has the time used, the lag and what was not charged", () => {
    const frames = [frame(1_000, null, clock({})), frame(4_200, 0, clock({ since: [null, 4_200], lags: [240, null], compensated: [200, 0] }))];
    expect(receiptOf({ frames }, 1)).toEqual({ used: 3_200, lag: 240, compensated: 200 });
  });

  it("is there without a known lag", () => {
    const frames = [frame(1_000, null, clock({})), frame(1_500, 0, clock({ since: [null, 1_500] }))];
    expect(receiptOf({ frames }, 1)).toEqual({ used: 500, lag: null, compensated: 0 });
  });

  it("is not there without a clock, at the start, and for steps of the server", () => {
    const frames = [frame(1_000, null, clock({})), frame(2_000, null, clock({})), frame(3_000, 1, clock({})), frame(4_000, 0, null)];
    expect([0, 1, 2, 3].map((step) => receiptOf({ frames }, step))).toEqual([null, null, null, null]);
  });

  it("covers the steps of one decision", () => {
    const rolled = frame(2_000, 0, clock({ lags: [90, null], compensated: [90, 0] }));
    const frames = [frame(1_000, null, clock({})), rolled, frame(3_000, 0, clock({ since: [null, 3_000], lags: [80, null], compensated: [80, 0] }))];
    expect(receiptOf({ frames }, 1)).toBe(null);
    expect(receiptOf({ frames }, 2)).toEqual({ used: 2_000, lag: 80, compensated: 80 });
  });

  it("is written in every language", () => {
    for (const { replay } of Object.values(TEXTS)) {
      expect(replay.receipt("3.2", "0.24", "0.20")).toMatch(/3\.2.*0\.24.*0\.20/);
      expect(replay.receiptWithoutLag("3.2")).toContain("3.2");
    }
  });
});
