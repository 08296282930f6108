/** Reading PGN and SGF files. */

import { describe, expect, it } from "vitest";
import { readPgn as chessTold } from "../../src/games/chess/notation/openedGame";
import type { Problem, OpenedGame } from "../../src/games/gameInterface";
import { writeSgf } from "../../src/games/gomoku/sgfWriter";
import { readSgf as gomokuTold } from "../../src/games/gomoku/sgfReader";
import { TEXTS } from "../allTexts";
import type { GameName } from "../../src/net/protocol";
import { CASES, TestRandom } from "../testRandom";

const wrong = (read: OpenedGame<GameName> | Problem) => ("message" in read ? read.message(TEXTS.en) : "");
const chess = (text: string) => chessTold(text)[0]!.read();
const gomoku = (text: string) => gomokuTold(text)[0]!.read();

const FOREIGN = `% a line for programs only
[Event "Casual game"] [Site "?"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke / Count"]
[Result "1-0"]
[ECO "C41"]

1.e4 e5 2.Nf3 d6 {Philidor (his own)} 3.d4 Bg4?! (3...exd4 4.Qxd4 (4.Nxd4 {good} g6) 4...Nc6) 4.dxe5 $14 Bxf3
5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7 ; a comment to the end
8.Nc3 c6 9.Bg5 {[%clk 0:05:00] [%eval 1.3]} b5 10.Nxb5! cxb5 11.Bxb5+ Nbd7 12.0-0-0 Rd8
13.Rxd7 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8 17.Rd8# 1-0`;

describe("the record of a game of chess", () => {
  it("may come from any program", () => {
    const read = chess(FOREIGN) as OpenedGame<"chess">;
    expect(wrong(read)).toBe("");
    expect(read.names).toEqual(["Morphy, Paul", "Duke / Count"]);
    expect([read.total, read.winners, read.position.check]).toEqual([33, [0], true]);
    expect(read.position.moves?.[22]).toBe("e1c1");
    expect(read.position.fen.split(" ")[0]).toBe("1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5");
    expect(Object.fromEntries(read.headers)).toEqual({ Event: "Casual game", Date: "1858.??.??", Result: "1-0", ECO: "C41" });
  });

  it("may have no tags and no result", () => {
    expect(chess("1. e4 e5 2. Nf3")).toMatchObject({ names: ["?", "?"], total: 3, winners: [] });
    expect(chess("1. d4 d5 *\n")).toMatchObject({ total: 2 });
    expect(chess("1. d4 ... 1. ... d5 ± 2. c4 +/- Z0 3. e4 @@@@ =")).toMatchObject({ total: 4, position: { sides: "wbww" } });
  });

  it("is one of several", () => {
    const games = chessTold(`${FOREIGN}\n\n[White "A"]\n[Black "B"]\n\n1. d4 * {a last word}\n\n1. c4 c5 1/2-1/2`);
    expect(games.map(({ title }) => title)).toEqual([
      "Morphy, Paul – Duke / Count, Casual game, 1858.??.??",
      "A – B",
      "? – ?",
    ]);
    expect(games.map((game) => (game.read() as OpenedGame<"chess">).total)).toEqual([33, 1, 2]);
  });

  it("keeps dice, mines and explosions", () => {
    const text = `[White "a"]\n[Qipai "dice=free mines=2 fog"]\n\n{[%dice PNQ w xx-]} 1. e4 -- 2. Nf3 {[%boom f3 N]} {[%dice PPP b x..]}
      {[%moves e7e5]} {[%mines f3 c6]} {[%dice XX w ..]} {[%boom z9]} *`;
    const read = chess(text) as OpenedGame<"chess">;
    expect(read.options).toEqual({ dice: "free", mines: 2, rerolls: 0, fog: true });
    expect(read.position).toMatchObject({
      moves: ["e2e4", "g1f3", "e7e5"],
      sides: "wwb",
      minefield: { left: 1, all: ["f3", "c6"], explosions: [{ ply: 2, square: "f3", piece: "N" }] },
    });
    expect(read.position.rolls?.map(({ dice }) => dice)).toEqual(["PNQ", "PPP"]);
    expect(read.position.fen.split(" ")[0]).toBe("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKB1R");
  });

  it("explains what is wrong", () => {
    expect(wrong(chess('[White "x"]\n\n1. e4 e5 2. Ke3 *'))).toContain("Move 2, “Ke3”, is illegal");
    expect(wrong(chess("1. hello world"))).toContain("“hello”");
    expect(wrong(chess('[White "x"]\n[Black "y"]\n\n*'))).toContain("no moves");
    expect(wrong(chess('[FEN "8/8/8/8/8/8/8/K6k w - - 0 1"]\n\n1. Ka2 *'))).toContain("initial position");
  });

  it("never throws", () => {
    const random = new TestRandom(7);
    const bits = ["(", ")", "{", "}", "[", "]", ";", '"', "\\", "e4", "1.", "--", "O-O", " ", "\n", "[%moves a1a9]", "*", "x\u0000", "{[%dice"];
    for (let number = 0; number < CASES; number++) {
      const text = Array.from({ length: random.below(40) }, () => random.one(bits)).join("");
      for (const game of chessTold(text)) game.read();
      for (const game of gomokuTold(text)) game.read();
    }
  });
});

describe("the record of a game of gomoku", () => {
  const head = "(;FF[4]GM[4]SZ[15]PB[Ada]PW[B\\]o]";

  it("is read as it was written", () => {
    const random = new TestRandom(45);
    for (let number = 0; number < CASES; number++) {
      const moves = random.distinct(1 + random.below(225), 225);
      const names = { black: "A]d\\a", white: "Bo" };
      const text = writeSgf({ black: 1, names, moves, result: { winners: [0], reason: "time" }, day: new Date(0) });
      const read = gomoku(text) as OpenedGame<"gomoku">;
      expect(read.position.moves).toEqual(moves);
      expect([read.names, read.winners]).toEqual([["A]d\\a", "Bo"], [1]]);
      expect(Object.fromEntries(read.headers)).toEqual({ Date: "1970-01-01", Result: "W+T" });
    }
  });

  it("shows the five that decided it", () => {
    const read = gomoku(`${head};B[aa];W[ao];B[bb];W[bo];B[cc];W[co];B[dd];W[do];B[ee])`) as OpenedGame<"gomoku">;
    expect([...read.position.line].sort((a, b) => a - b)).toEqual([0, 16, 32, 48, 64]);
  });

  it("follows the first branch", () => {
    const read = gomoku(`${head};B[hh]C[(not; a branch)](;W[aa];B[bb](;W[cc])(;W[dd]))(;W[ee]))`) as OpenedGame<"gomoku">;
    expect(read.position.moves).toEqual([112, 0, 16, 32]);
    expect(read.names).toEqual(["Ada", "B]o"]);
  });

  it("explains what is wrong", () => {
    expect(wrong(gomoku("(;GM[1]SZ[19];B[aa])"))).toContain("not a gomoku game");
    expect(wrong(gomoku("(;GM[4]SZ[17];B[aa])"))).toContain("15×15");
    expect(wrong(gomoku(`${head};B[aa];W[aa])`))).toContain("Move 2 is on A15");
    expect(wrong(gomoku(`${head};B[aa];B[ab])`))).toContain("wrong side");
    expect(wrong(gomoku(`${head};B[zz])`))).toContain("Move 1, “zz”");
    expect(wrong(gomoku(`${head}AB[aa];B[bb])`))).toContain("initial position");
    expect(wrong(gomoku(`${head})`))).toContain("no moves");
  });
});
