/** Frames in the compact form. */

import { describe, expect, it } from "vitest";
import { applyPatch, readFrames, type CompactFrames, type Json, type Patch } from "../../src/net/compactFrames";
import type { TictactoePosition } from "../../src/net/protocol";

const CASES: readonly (readonly [Json, Json, Patch])[] = [
  [1, 2, [0, 2]],
  [null, { a: 1 }, [0, { a: 1 }]],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, [1, { b: [0, 3] }]],
  [{ a: 1 }, { b: 2, a: 1 }, [1, { b: [0, 2] }, ["b", "a"]]],
  [{ a: 1, b: 2 }, { b: 2 }, [1, {}, ["b"]]],
  [{ a: 1 }, { a: null }, [1, { a: [0, null] }]],
  [{ toString: 1 }, { toString: 1 }, [1, {}]],
  [[{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], [2, [[1, [1, { a: [0, 3] }]]]]],
  [[1, 2, 3], [1, 2, 3, 4], [3, 3, 0, [4]]],
  [[1, 2, 3], [1, 3], [3, 1, 1, []]],
  [[1, 2, 3], [1, 9, 3], [3, 1, 1, [9]]],
  [[], [1], [3, 0, 0, [1]]],
];

describe("a patch", () => {
  it.each(CASES)("makes the new value of %j: %j", (old, wanted, patch) => {
    const before = JSON.stringify(old);
    expect(JSON.stringify(applyPatch(old, patch))).toBe(JSON.stringify(wanted));
    expect(JSON.stringify(old)).toBe(before);
  });
});

describe("compact frames", () => {
  const position = (board: string): TictactoePosition => ({
    left: 0, x: 0, first: 0, turn: 0, board, round: 0, wins: [0, 0], draws: 0, resting: false, taken: null, lines: [],
  });
  const clock = { left: [9, null], running: [0], grants: [null, null], since: [-20, null], at: 0 };
  const compact: CompactFrames = {
    version: [4, 1, 2],
    at: [1000, 50, 7],
    actor: [null, 0, 1],
    events: [[], [{ e: "seat_left", seat: 1 }], []],
    patch: [[0, position(".........") as unknown as Json], [1, { board: [0, "X........"] }], null],
    to_act: [[0], [1], []],
    clock: [clock, { ...clock, at: 5 }, null],
  };

  it("have versions, times and positions like other frames", () => {
    const frames = readFrames(compact);
    expect(frames.map(({ version, at }) => [version, at])).toEqual([[4, 1000], [5, 1050], [7, 1057]]);
    expect(frames.map((frame) => frame.position)).toEqual([position("........."), position("X........"), position("X........")]);
    expect(frames.map((frame) => frame.clock)).toEqual([{ ...clock, at: 1000, since: [980, null] }, { ...clock, at: 1055, since: [1030, null] }, null]);
    expect(frames.map(({ actor, to_act }) => [actor, to_act])).toEqual([[null, [0]], [0, [1]], [1, []]]);
    expect(frames[1]!.events).toEqual([{ e: "seat_left", seat: 1 }]);
  });
});
