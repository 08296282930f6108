/** Position of tic-tac-toe. */

import { describe, expect, it } from "vitest";
import { neighbour, reduce, symbolOf } from "../../src/games/tictactoe/position";
import { isHarmlessRefusal } from "../../src/games/gameReducers";
import type { TictactoeEvent, TictactoePosition } from "../../src/net/protocol";

const START: TictactoePosition = {
  left: 0, x: 1, first: 1, turn: 1, board: ".........", round: 0,
  wins: [0, 0], draws: 0, resting: false, taken: null, lines: [],
};

const after = (...events: TictactoeEvent[]) => events.reduce(reduce, START);

describe("tic-tac-toe", () => {
  it("gives each seat its own symbol", () => {
    expect([symbolOf(START, 0), symbolOf(START, 1)]).toEqual(["O", "X"]);
  });

  it("marks a cell and passes the turn", () => {
    expect(after({ e: "marked", seat: 1, cell: 0 })).toMatchObject({ board: "X........", turn: 0 });
  });

  it("ends a round as the server does: the last to move keeps the turn", () => {
    const over = after(
      { e: "marked", seat: 1, cell: 2 },
      { e: "round_over", round: 0, winner: 1, lines: [[0, 1, 2]], wins: [0, 1], draws: 0 },
    );
    expect(over).toMatchObject({ resting: true, taken: 1, turn: 1, wins: [0, 1], lines: [[0, 1, 2]] });
    expect(reduce(over, { e: "round_started", round: 1, first: 0 })).toMatchObject({
      resting: false, taken: null, turn: 0, round: 1, board: ".........", lines: [], wins: [0, 1],
    });
  });

  it("moves the focus with the arrows and stops at the edge", () => {
    expect(neighbour(4, "ArrowUp")).toBe(1);
    expect(neighbour(1, "ArrowUp")).toBe(1);
    expect(neighbour(4, "ArrowLeft")).toBe(3);
    expect(neighbour(3, "ArrowLeft")).toBe(3);
    expect(neighbour(5, "ArrowRight")).toBe(5);
    expect(neighbour(4, "ArrowDown")).toBe(7);
    expect([neighbour(4, "Home"), neighbour(4, "End"), neighbour(4, "a")]).toEqual([3, 5, 4]);
  });

  it("shows no message when both ask for the next round", () => {
    expect(isHarmlessRefusal("tictactoe", { do: "next" }, "stale")).toBe(true);
    expect(isHarmlessRefusal("tictactoe", { do: "mark", cell: 0 }, "stale")).toBe(false);
  });
});
