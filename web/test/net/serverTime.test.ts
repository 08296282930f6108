/** Server time and clocks. */

import { describe, expect, it } from "vitest";
import { clockFace, remaining, secondsUntil, ServerTime } from "../../src/net/serverTime";

describe("the server's time", () => {
  it("trusts the shortest round trip most", () => {
    let local = 1_000;
    const time = new ServerTime(() => local);
    time.learn(50_000, 0); // a trip of a second: 50.5 s now, more or less
    expect(time.now()).toBe(50_500);
    local = 2_010;
    time.learn(51_400, 2_000); // ten milliseconds: much better
    expect(time.now()).toBe(51_405);
    local = 4_000;
    time.learn(0, 3_000);
    expect(time.now()).toBe(53_395);
    expect(time.trip).toBe(10);
  });

  it("starts again after a reconnect", () => {
    const time = new ServerTime(() => 7);
    time.learn(100, 7);
    time.forget();
    expect([time.now(), time.trip]).toEqual([7, null]);
  });
});

describe("a clock", () => {
  const clock = { left: [60_000, null], running: [0], grants: [null, null], since: [1_000, null], at: 1_000 };

  it("applies a limit per move", () => {
    const limit = 30_000;
    const plain = { left: [null, null], running: [0], grants: [null, null], since: [500, null], at: 1_000 };
    expect(remaining(plain, 0, 3_000, limit).left).toBe(27_500);
    expect(remaining(plain, 1, 3_000, limit).left).toBe(30_000);
    expect(remaining(plain, 0, 99_000, limit).left).toBe(0);
    const both = { ...plain, left: [10_000, 60_000] };
    expect(remaining(both, 0, 3_000, limit).left).toBe(8_000);
    expect(remaining(both, 1, 3_000, limit).left).toBe(30_000);
  });

  it("runs only for the side to move", () => {
    expect(remaining(clock, 0, 11_000)).toEqual({ left: 50_000, grant: null, running: true });
    expect(remaining({ ...clock, running: [] }, 0, 11_000).left).toBe(60_000);
    expect(remaining(clock, 1, 11_000)).toEqual({ left: null, grant: null, running: false });
  });

  it("never goes below zero and never starts early", () => {
    expect(remaining(clock, 0, 99_000).left).toBe(0);
    expect(remaining(clock, 0, 0).left).toBe(60_000);
  });

  it("does not touch the budget while a decision has its own time", () => {
    const granted = { ...clock, grants: [15_000, null] };
    expect(remaining(granted, 0, 6_000)).toEqual({ left: 60_000, grant: 10_000, running: true });
  });

  it("shows tenths below ten seconds", () => {
    expect([clockFace(0), clockFace(9_990), clockFace(10_000)]).toEqual(["0:00.0", "0:09.9", "0:10"]);
    expect([clockFace(183_400), clockFace(3_723_000)]).toEqual(["3:03", "1:02:03"]);
  });

  it("counts seconds down to zero", () => {
    expect([secondsUntil(5_001, 0), secondsUntil(5_000, 0), secondsUntil(0, 9)]).toEqual([6, 5, 0]);
  });
});
