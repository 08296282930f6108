/** Position of tic-tac-toe. */

import { describe, expect, it } from "vitest";
import { reduce, symbolOf } from "../../src/games/tictactoe/position";
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

  it("shows no message when both ask for the next round", () => {
    expect(isHarmlessRefusal("tictactoe", { do: "next" }, "stale")).toBe(true);
    expect(isHarmlessRefusal("tictactoe", { do: "mark", cell: 0 }, "stale")).toBe(false);
  });
});
