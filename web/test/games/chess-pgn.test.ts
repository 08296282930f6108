/** PGN writer and reader. */

import { describe, expect, it } from "vitest";
import { writePgn, type PgnSource } from "../../src/games/chess/notation/pgnWriter";
import { fullPosition } from "../../src/games/chess/position";
import { splitGames, readGame } from "../../src/games/chess/notation/pgnReader";
import { START } from "../../src/games/chess/squares";
import type { ChessPosition } from "../../src/net/protocol";

const sheet = (position: Partial<ChessPosition>, more: Partial<PgnSource> = {}): PgnSource => ({
  game: fullPosition({ white: 0, turn: 0, fen: START, ...position }),
  options: {},
  names: { white: "Ada", black: 'B"o\\' },
  result: { winners: [1], reason: "mate" },
  round: 2,
  day: new Date("2024-05-06T23:00:00Z"),
  site: "here",
  ...more,
});
const readPgn = (text: string) => readGame(splitGames(text)[0]!);
const FOOLS = ["f2f3", "e7e5", "g2g4", "d8h4"];

describe("a game as PGN", () => {
  it("is standard PGN", () => {
    expect(writePgn(sheet({ moves: FOOLS })).split("\n")).toEqual([
      '[Event "?"]',
      '[Site "here"]',
      '[Date "2024.05.06"]',
      '[Round "2"]',
      '[White "Ada"]',
      '[Black "B\\"o\\\\"]',
      '[Result "0-1"]',
      '[Termination "normal"]',
      '[Reason "mate"]',
      "",
      "1. f3 e5 2. g4 Qh4# 0-1",
      "",
    ]);
  });

  it("says how it ended", () => {
    const ended = (winners: number[], reason: string, white = 0) =>
      /Result "(.*?)"/.exec(writePgn(sheet({ white }, { result: { winners, reason } })))?.[1];
    expect([ended([0], "time"), ended([1], "time"), ended([0], "left", 1), ended([], "agreed"), ended([], "aborted")]).toEqual(
      ["1-0", "0-1", "0-1", "1/2-1/2", "*"],
    );
  });

  it("names the options", () => {
    const options = { dice: "free", mines: 5, rerolls: 1, fog: true } as const;
    expect(writePgn(sheet({ moves: FOOLS }, { options }))).toContain('[Qipai "dice=free mines=5 rerolls=1 fog"]');
  });

  it("inserts null moves when a side moves several times, and is read back", () => {
    const rolls = [
      { ply: 0, seat: 0, dice: "PNQ", used: "xx-" },
      { ply: 2, seat: 1, dice: "PPP", used: "x..", again: true },
    ];
    const text = writePgn(sheet({ moves: ["e2e4", "g1f3", "e7e5"], sides: "wwb", rolls }));
    expect(text).toContain("{[%dice PNQ w xx-]} 1. e4 -- 2. Nf3 {[%dice PPP b x.. again]} 2... e5 0-1");
    expect(readPgn(text)).toMatchObject({
      moves: ["e2e4", "g1f3", "e7e5"],
      sides: "wwb",
      rolls: [{ ...rolls[0], again: false }, rolls[1]],
    });
    expect(splitGames(text)[0]?.tags).toMatchObject({ White: "Ada", Black: 'B"o\\' });
  });

  it("puts moves after an explosion into a comment, and is read back", () => {
    const minefield = { left: 1, explosions: [{ ply: 1, square: "e4", piece: "P" }], all: ["e4", "c6"] };
    const text = writePgn(sheet({ moves: ["e2e4", "e7e5", "d2d4"], minefield }));
    expect(text).toContain("1. e4 {[%boom e4 P]} {[%moves e7e5 d2d4]} {[%mines e4 c6]} 0-1");
    expect(readPgn(text)).toMatchObject({
      moves: ["e2e4", "e7e5", "d2d4"],
      sides: "wbw",
      explosions: minefield.explosions,
      mines: ["e4", "c6"],
    });
  });

  it("reads castling and promotion as they are played", () => {
    const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "e1g1", "g8f6", "a2a4", "e8g8"];
    expect(readPgn(writePgn(sheet({ moves })))).toMatchObject({ moves });
    const pawn = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5", "a7b8n"];
    expect(readPgn(writePgn(sheet({ moves: pawn })))).toMatchObject({ moves: pawn });
  });

  it("wraps lines at eighty characters", () => {
    const shuffle = Array.from({ length: 60 }, (_, index) => ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4]!);
    const lines = writePgn(sheet({ moves: shuffle })).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
