import { describe, expect, it } from "vitest";
import { fate } from "../src/games/chess/fate";
import { full, fullHand, reduce } from "../src/games/chess/position";
import { numbersOf, roundsOf, tally, waste } from "../src/games/chess/rolls";
import { START } from "../src/games/chess/squares";
import type { ChessEvent, ChessHand, ChessPosition } from "../src/wire";

const WHITE = 0;
const BLACK = 1;
const HAND: ChessHand = { owner: WHITE, dice: "NPQ", used: "...", current: 0, movers: "N" };
const THROWN = { ply: 0, seat: WHITE, dice: "NPQ", used: "..." };
const BEGIN: ChessPosition = { white: WHITE, turn: WHITE, fen: START, hand: HAND, thrown: [THROWN] };
const NF3 = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 1 1";
const after = (...events: ChessEvent[]) => full(events.reduce(reduce, BEGIN));
const knight: ChessEvent = { e: "moved", seat: WHITE, uci: "g1f3", fen: NF3 };

describe("dice on the table", () => {
  it("are used one by one, by the same side", () => {
    const then = after(knight, { e: "diced", hand: { ...HAND, used: "x..", current: 1, movers: "P" } });
    expect(then).toMatchObject({ turn: WHITE, thrown: [{ used: "x.." }], hand: { current: 1 } });
  });

  it("stay as they were used when the next throw comes at once", () => {
    const then = after(
      { ...knight, fen: NF3.replace(" w ", " b ") },
      { e: "rolled", seat: BLACK, dice: "BBB" },
      { e: "passed", seat: BLACK },
      { e: "rolled", seat: WHITE, dice: "RRP" },
      { e: "diced", hand: { owner: WHITE, dice: "RRP", used: "--.", current: 2, movers: "P" } },
    );
    expect(then.thrown.map(({ used, ply }) => [used, ply])).toEqual([["x--", 0], ["---", 1], ["--.", 1]]);
  });

  it("pass the turn without a move, and with it the right to take in passing", () => {
    const start = { ...BEGIN, fen: "4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1" };
    const then = reduce(start, { e: "diced", hand: { owner: BLACK, dice: "PPP", used: "..." } });
    expect(then).toMatchObject({ turn: BLACK, fen: "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1" });
  });

  it("wait while somebody answers a check", () => {
    const checked = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    const then = after({ ...knight, fen: checked, check: true }, { e: "diced", hand: { ...HAND, used: "x..", free: true, kept: true } });
    expect(then).toMatchObject({ turn: BLACK, check: true, hand: { owner: WHITE, free: true } });
  });

  it("keep a throw that was replaced as it was", () => {
    const then = after({ e: "rolled", seat: WHITE, dice: "QQQ", again: true });
    expect(then.thrown).toMatchObject([{ dice: "NPQ", used: "..." }, { dice: "QQQ", again: true }]);
  });

  it("use the die of the piece's kind where any may be used", () => {
    const free = { ...BEGIN, hand: { ...HAND, dice: "PQN", current: -1 }, thrown: [{ ...THROWN, dice: "PQN" }] };
    expect(full(reduce(free, knight)).thrown[0]!.used).toBe("..x");
  });

  it("say what became of each", () => {
    const hand = fullHand({ ...HAND, used: "x-.", current: 2 });
    expect([0, 1, 2].map((die) => fate(hand, die))).toEqual(["used", "skipped", "next"]);
    expect(fate({ ...hand, free: true }, 2)).toBe("open");
    expect(fate({ ...hand, current: -1 }, 2)).toBe("open");
  });
});

describe("the throws of a game", () => {
  const thrown = [
    { ply: 0, seat: WHITE, dice: "NPQ", used: "xx-" },
    { ply: 2, seat: BLACK, dice: "PPK", used: "---" },
    { ply: 2, seat: WHITE, dice: "QQQ", used: "x.." },
  ];

  it("divide it into rounds", () => {
    const rounds = roundsOf({ moves: ["a", "b", "c"], thrown });
    expect(rounds.map(({ moves }) => moves)).toEqual([[0, 1], [], [2]]);
    expect(roundsOf({ moves: ["a"], thrown: [{ ...thrown[0]!, ply: 1 }] }).map(({ moves }) => moves)).toEqual([[0], []]);
  });

  it("are counted by kind and seat", () => {
    const counted = Object.fromEntries(tally(thrown).map(({ kind, counts }) => [kind, counts]));
    expect(counted).toEqual({ P: [1, 2], N: [1, 0], B: [0, 0], R: [0, 0], Q: [4, 0], K: [0, 1] });
    expect(tally(thrown).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(tally([]).map(({ kind, share }) => [kind, share])).toEqual(["P", "N", "B", "R", "Q"].map((kind) => [kind, 0]));
  });

  it("say how many dice were of no use", () => {
    expect(waste(thrown, WHITE)).toEqual({ dice: 6, skipped: 1 });
    expect(waste(thrown, BLACK)).toEqual({ dice: 3, skipped: 3 });
  });

  it("leave each turn of white its number", () => {
    expect(numbersOf({ moves: ["a", "b", "c", "d", "e"], sides: "wwbww" })).toEqual([1, 1, 1, 2, 2]);
    expect(numbersOf({ moves: ["a", "b", "c"], sides: "" })).toEqual([1, 1, 2]);
  });
});
