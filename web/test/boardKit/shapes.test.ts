/** Drawn circles and arrows: colours, cells on the screen, which shapes remain. */

import { describe, expect, it } from "vitest";
import { arrowPath, brushOf, cellAt, centreOf, withShape, type BoardArea, type Shape } from "../../src/boardKit/drawing/shapes";

const chess = (turned: boolean): BoardArea => ({ columns: 8, rows: 8, edge: 0, turned });
const gomoku: BoardArea = { columns: 15, rows: 15, edge: 0.5, turned: false };
const box = (left: number, top: number, size: number) => ({ left, top, right: left + size, bottom: top + size, width: size, height: size, x: left, y: top });
const keys = (...pressed: string[]) => ({
  shiftKey: pressed.includes("shift"),
  ctrlKey: pressed.includes("ctrl"),
  altKey: pressed.includes("alt"),
  metaKey: pressed.includes("meta"),
});
const shape = (from: number, to: number, brush: Shape["brush"] = "green"): Shape => ({ from, to, brush });

describe("the colour", () => {
  it("follows the modifier keys", () => {
    expect(brushOf(keys())).toBe("green");
    expect(brushOf(keys("shift"))).toBe("red");
    expect(brushOf(keys("ctrl"))).toBe("red");
    expect(brushOf(keys("alt"))).toBe("blue");
    expect(brushOf(keys("shift", "alt"))).toBe("yellow");
    expect(brushOf(keys("ctrl", "alt"))).toBe("yellow");
  });
});

describe("shapes", () => {
  it("are added, removed when drawn again, and replaced in another colour", () => {
    const one = withShape([], shape(1, 2));
    const two = withShape(one, shape(3, 3));
    expect(two).toEqual([shape(1, 2), shape(3, 3)]);
    expect(withShape(two, shape(1, 2))).toEqual([shape(3, 3)]);
    expect(withShape(two, shape(1, 2, "red"))).toEqual([shape(3, 3), shape(1, 2, "red")]);
    // The other direction is another arrow.
    expect(withShape(one, shape(2, 1))).toEqual([shape(1, 2), shape(2, 1)]);
  });
});

describe("cells", () => {
  it("are found on the screen, also on a turned board", () => {
    const board = box(100, 50, 400);
    expect(cellAt(101, 51, board, chess(false))).toBe(0);
    expect(cellAt(101, 51, board, chess(true))).toBe(63);
    expect(cellAt(499, 51, board, chess(false))).toBe(7);
    expect(cellAt(275, 325, board, chess(false))).toBe(3 + 8 * 5);
    expect(cellAt(275, 325, board, chess(true))).toBe(63 - (3 + 8 * 5));
  });

  it("are not found outside the board", () => {
    const board = box(100, 50, 400);
    for (const [x, y] of [[99, 60], [501, 60], [110, 49], [110, 451]] as const) expect(cellAt(x, y, board, chess(false))).toBe(null);
  });

  it("of gomoku are intersections; the edge belongs to the nearest one", () => {
    // Sixteen line distances of 25 pixels.
    const board = box(0, 0, 400);
    expect(cellAt(25, 25, board, gomoku)).toBe(0);
    expect(cellAt(2, 2, board, gomoku)).toBe(0);
    expect(cellAt(37, 25, board, gomoku)).toBe(0);
    expect(cellAt(38, 25, board, gomoku)).toBe(1);
    expect(cellAt(399, 399, board, gomoku)).toBe(224);
  });

  it("have their centre where they are found", () => {
    for (const area of [chess(false), chess(true), gomoku]) {
      const units = area.columns + 2 * area.edge;
      for (let cell = 0; cell < area.columns * area.rows; cell++) {
        const { x, y } = centreOf(cell, area);
        expect(cellAt(x * 10, y * 10, box(0, 0, units * 10), area)).toBe(cell);
      }
    }
  });
});

describe("an arrow", () => {
  const points = (path: string) => path.slice(1, -1).split("L").map((point) => point.split(" ").map(Number));

  it("starts at one centre and has its tip at the other", () => {
    const path = points(arrowPath({ x: 1.5, y: 4.5 }, { x: 1.5, y: 1.5 }));
    expect(path[3]).toEqual([1.5, 1.5]);
    const [first, last] = [path[0]!, path.at(-1)!];
    expect([(first[0]! + last[0]!) / 2, (first[1]! + last[1]!) / 2]).toEqual([1.5, 4.5]);
  });

  it("to a neighbouring cell never has its head before its start", () => {
    const path = points(arrowPath({ x: 0.5, y: 0.5 }, { x: 1.5, y: 0.5 }));
    for (const [x] of path) expect(x).toBeGreaterThanOrEqual(0.5);
  });
});
