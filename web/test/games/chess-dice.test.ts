/** Dice of chess. */

import { describe, expect, it } from "vitest";
import { dieStatus } from "../../src/games/chess/dice/dieStatus";
import { fullPosition, fullDice, reduce } from "../../src/games/chess/position";
import { moveNumbers, roundsOfDice, diceTally, skippedDice } from "../../src/games/chess/dice/diceHistory";
import { START } from "../../src/games/chess/squares";
import type { ChessEvent, ChessCurrentDice, ChessPosition } from "../../src/net/protocol";

const WHITE = 0;
const BLACK = 1;
const DICE: ChessCurrentDice = { owner: WHITE, dice: "NPQ", used: "...", current: 0, movers: "N" };
const ROLL = { ply: 0, seat: WHITE, dice: "NPQ", used: "..." };
const FIRST: ChessPosition = { white: WHITE, turn: WHITE, fen: START, dice: DICE, rolls: [ROLL] };
const NF3 = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 1 1";
const after = (...events: ChessEvent[]) => fullPosition(events.reduce(reduce, FIRST));
const knight: ChessEvent = { e: "moved", seat: WHITE, uci: "g1f3", fen: NF3 };

describe("dice on the table", () => {
  it("are used one by one, by the same side", () => {
    const then = after(knight, { e: "dice_changed", dice: { ...DICE, used: "x..", current: 1, movers: "P" } });
    expect(then).toMatchObject({ turn: WHITE, rolls: [{ used: "x.." }], dice: { current: 1 } });
  });

  it("keep their status when the next roll follows at once", () => {
    const then = after(
      { ...knight, fen: NF3.replace(" w ", " b ") },
      { e: "rolled", seat: BLACK, dice: "BBB" },
      { e: "passed", seat: BLACK },
      { e: "rolled", seat: WHITE, dice: "RRP" },
      { e: "dice_changed", dice: { owner: WHITE, dice: "RRP", used: "--.", current: 2, movers: "P" } },
    );
    expect(then.rolls.map(({ used, ply }) => [used, ply])).toEqual([["x--", 0], ["---", 1], ["--.", 1]]);
  });

  it("pass the turn without a move, and end en passant", () => {
    const start = { ...FIRST, fen: "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1" };
    const then = reduce(start, { e: "dice_changed", dice: { owner: BLACK, dice: "PPP", used: "..." } });
    expect(then).toMatchObject({ turn: BLACK, fen: "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1" });
  });

  it("wait while a check is answered", () => {
    const checked = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    const then = after({ ...knight, fen: checked, check: true }, { e: "dice_changed", dice: { ...DICE, used: "x..", free: true, kept: true } });
    expect(then).toMatchObject({ turn: BLACK, check: true, dice: { owner: WHITE, free: true } });
  });

  it("keep a rerolled roll", () => {
    const then = after({ e: "rolled", seat: WHITE, dice: "QQQ", again: true });
    expect(then.rolls).toMatchObject([{ dice: "NPQ", used: "..." }, { dice: "QQQ", again: true }]);
  });

  it("use the die of the piece's kind in free order", () => {
    const free = { ...FIRST, dice: { ...DICE, dice: "PQN", current: -1 }, rolls: [{ ...ROLL, dice: "PQN" }] };
    expect(fullPosition(reduce(free, knight)).rolls[0]!.used).toBe("..x");
  });

  it("have a status each", () => {
    const hand = fullDice({ ...DICE, used: "x-.", current: 2 });
    expect([0, 1, 2].map((die) => dieStatus(hand, die))).toEqual(["used", "skipped", "next"]);
    expect(dieStatus({ ...hand, free: true }, 2)).toBe("open");
    expect(dieStatus({ ...hand, current: -1 }, 2)).toBe("open");
  });
});

describe("the rolls of a game", () => {
  const rolls = [
    { ply: 0, seat: WHITE, dice: "NPQ", used: "xx-" },
    { ply: 2, seat: BLACK, dice: "PPK", used: "---" },
    { ply: 2, seat: WHITE, dice: "QQQ", used: "x.." },
  ];

  it("divide it into rounds", () => {
    const rounds = roundsOfDice({ moves: ["a", "b", "c"], rolls });
    expect(rounds.map(({ moves }) => moves)).toEqual([[0, 1], [], [2]]);
    expect(roundsOfDice({ moves: ["a"], rolls: [{ ...rolls[0]!, ply: 1 }] }).map(({ moves }) => moves)).toEqual([[0], []]);
  });

  it("are counted by kind and seat", () => {
    const counted = Object.fromEntries(diceTally(rolls).map(({ kind, counts }) => [kind, counts]));
    expect(counted).toEqual({ P: [1, 2], N: [1, 0], B: [0, 0], R: [0, 0], Q: [4, 0], K: [0, 1] });
    expect(diceTally(rolls).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(diceTally([]).map(({ kind, share }) => [kind, share])).toEqual(["P", "N", "B", "R", "Q"].map((kind) => [kind, 0]));
  });

  it("count the skipped dice", () => {
    expect(skippedDice(rolls, WHITE)).toEqual({ dice: 6, skipped: 1 });
    expect(skippedDice(rolls, BLACK)).toEqual({ dice: 3, skipped: 3 });
  });

  it("give each turn of white a number", () => {
    expect(moveNumbers({ moves: ["a", "b", "c", "d", "e"], sides: "wwbww" })).toEqual([1, 1, 1, 2, 2]);
    expect(moveNumbers({ moves: ["a", "b", "c"], sides: "" })).toEqual([1, 1, 2]);
  });
});
