/** The board kit: keys on a grid, stepping through moves, texts with placeholders. */

import { describe, expect, it } from "vitest";
import { fillText } from "../../src/boardKit/fillText";
import { cellByKey, turnedPlace, type Grid } from "../../src/boardKit/gridKeys";
import { earlierStatus, showMove, shownMove } from "../../src/boardKit/moveNavigation";
import { SQUARES } from "../../src/games/chess/squares";
import { coordinate } from "../../src/games/gomoku/position";
import type { MoveCursor } from "../../src/games/gameInterface";

const KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"];
const grid = (columns: number, rows = columns, turned = false): Grid => ({ columns, rows, turned });

describe("the keys on a grid", () => {
  it("move the focus by one cell, to the ends of the row and of the column", () => {
    const H8 = 7 + 15 * 7;
    expect(KEYS.map((key) => coordinate(cellByKey(H8, key, grid(15))!, 15))).toEqual(["H9", "H7", "G8", "I8", "A8", "O8", "H15", "H1"]);
    expect(KEYS.map((key) => cellByKey(4, key, grid(3)))).toEqual([1, 7, 3, 5, 3, 5, 1, 7]);
    // Two rows of five.
    expect(KEYS.map((key) => cellByKey(7, key, grid(5, 2)))).toEqual([2, 7, 6, 8, 5, 9, 2, 7]);
  });

  it("stop at the edges", () => {
    for (const [key, corner] of [["ArrowUp", 0], ["ArrowLeft", 0], ["ArrowDown", 224], ["ArrowRight", 224]] as const) {
      expect(cellByKey(corner, key, grid(15))).toBe(corner);
    }
    expect(cellByKey(3, "ArrowLeft", grid(3))).toBe(3);
    expect(cellByKey(2, "ArrowRight", grid(3))).toBe(2);
  });

  it("go where they point on a turned board", () => {
    const from = (turned: boolean) => KEYS.map((key) => SQUARES[cellByKey(SQUARES.indexOf("d4"), key, grid(8, 8, turned))!]);
    expect(from(false)).toEqual(["d5", "d3", "c4", "e4", "a4", "h4", "d8", "d1"]);
    expect(from(true)).toEqual(["d3", "d5", "e4", "c4", "h4", "a4", "d1", "d8"]);
    expect(SQUARES[turnedPlace(0, grid(8, 8, true))]).toBe("h1");
  });

  it("are no others", () => {
    expect(["a", "Enter", " ", "Tab", "Escape"].map((key) => cellByKey(4, key, grid(3)))).toEqual([null, null, null, null, null]);
  });
});

describe("stepping through moves", () => {
  const scene = (cursor: MoveCursor | null, phase: "playing" | "over" = "playing") => {
    const shown: (MoveCursor | null)[] = [];
    return { room: { phase }, cursor, setCursor: (to: MoveCursor | null) => void shown.push(to), shown };
  };

  it("shows the current position without a cursor, and when the cursor is at the end", () => {
    expect(shownMove({ cursor: null }, 5)).toEqual({ step: 5, total: 5, earlier: false, newMoves: false });
    expect(shownMove({ cursor: { step: 5, total: 5 } }, 5)).toMatchObject({ step: 5, earlier: false });
  });

  it("shows an earlier position, and knows when moves were played since", () => {
    expect(shownMove({ cursor: { step: 2, total: 5 } }, 5)).toEqual({ step: 2, total: 5, earlier: true, newMoves: false });
    expect(shownMove({ cursor: { step: 2, total: 5 } }, 6)).toEqual({ step: 2, total: 6, earlier: true, newMoves: true });
  });

  it("goes to a move, not before the first, and at the last one back to the game", () => {
    const back = scene(null);
    for (const step of [3, -1, 5, 9]) showMove(back, 5, step);
    expect(back.shown).toEqual([{ step: 3, total: 5 }, { step: 0, total: 5 }, null, null]);
    // While an earlier move is shown, the number of moves from when stepping began is kept.
    const further = scene({ step: 3, total: 5 });
    showMove(further, 6, 2);
    expect(further.shown).toEqual([{ step: 2, total: 5 }]);
  });

  it("has a status with a way back", () => {
    const text = { earlier: (step: number, total: number, news: boolean) => `${step}/${total}${news ? "!" : ""}`, backToGame: "back", end: "end" };
    expect(earlierStatus(scene(null), 5, text)).toBe(null);
    const running = scene({ step: 2, total: 4 });
    const status = earlierStatus(running, 5, text)!;
    expect(status).toMatchObject({ text: "2/5!", mine: false, button: { label: "back" } });
    status.button!.press();
    expect(running.shown).toEqual([null]);
    expect(earlierStatus(scene({ step: 2, total: 5 }, "over"), 5, text)!.button!.label).toBe("end");
  });
});

describe("a text with placeholders", () => {
  it("gets its values", () => {
    expect(fillText("{black} : {white}", { black: 12, white: "x" })).toBe("12 : x");
    expect(fillText("{name} and {name}", { name: "$&" })).toBe("$& and $&");
  });

  it("keeps a placeholder without a value", () => {
    expect(fillText("Move {step} of {total}", { step: 0 })).toBe("Move 0 of {total}");
  });
});
