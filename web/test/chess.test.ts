import { describe, expect, it } from "vitest";
import { destsOf, toldDests } from "../src/games/chess/legal";
import { pageOf, turnTo, type ChessScene } from "../src/games/chess/lookback";
import { colourOf, full, reduce, sidesOf } from "../src/games/chess/position";
import { recordOf } from "../src/games/chess/record";
import { announce, statusOf } from "../src/games/chess/said";
import { lost } from "../src/games/chess/signs";
import { carry, foggy, neighbour, piecesOf, placement, promotes, seenPieces, SQUARES, START } from "../src/games/chess/squares";
import { LANGUAGES } from "../src/i18n";
import type { ChessEvent, ChessPosition } from "../src/wire";

const BEGIN: ChessPosition = { white: 1, turn: 1, fen: START };
const E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const moved = (seat: number, uci: string, fen: string, more = {}): ChessEvent => ({ e: "moved", seat, uci, fen, ...more });
const after = (position: ChessPosition, ...events: ChessEvent[]) => full(events.reduce(reduce, position));

describe("a position of chess", () => {
  it("takes a move: the new board, whose turn it is, what was taken", () => {
    const one = after(BEGIN, moved(1, "e2e4", E4));
    expect(one).toMatchObject({ fen: E4, turn: 0, moves: ["e2e4"], sides: "", check: false, taken: "" });
    const two = after(one, moved(0, "d7d5", E4.replace(" b ", " w "), { check: true, taken: "P", claim: "fifty" }));
    expect(two).toMatchObject({ turn: 1, check: true, taken: "P", claim: "fifty", moves: ["e2e4", "d7d5"] });
    expect(after(two, moved(1, "e4d5", E4))).toMatchObject({ check: false, claim: "", taken: "P" });
  });

  it("knows colours by seats", () => {
    expect([colourOf(BEGIN, 0), colourOf(BEGIN, 1)]).toEqual(["black", "white"]);
  });

  it("notes whose each move was only where they do not alternate", () => {
    const twice = after(BEGIN, moved(1, "e2e4", E4.replace(" b ", " w ")), moved(1, "d2d4", E4));
    expect([twice.sides, sidesOf(twice)]).toEqual(["ww", "ww"]);
    expect(after(twice, moved(0, "e7e5", E4)).sides).toBe("wwb");
    expect(sidesOf(after(BEGIN, moved(1, "e2e4", E4)))).toBe("w");
  });

  it("does not stumble over an event it does not know", () => {
    expect(reduce(BEGIN, { e: "earthquake" } as never)).toBe(BEGIN);
  });
});

describe("a position in the fog", () => {
  const BOARD = "????????" + "????????" + "????????" + "........" + "........" + "........" + "PPPPPPPP" + "RNBQKBNR";
  const FOGGED: ChessPosition = { white: 0, turn: 0, fen: "", board: BOARD, dests: "e2e4 e2e3 g1f3" };
  const sighted = (more: object): ChessEvent =>
    ({ e: "sighted", seat: 1, uci: "", plies: 1, board: BOARD, dests: "", turn: 0, ...more }) as ChessEvent;

  it("shows pieces where they are seen, and darkness elsewhere", () => {
    expect(seenPieces(BOARD).size).toBe(16);
    expect(seenPieces(BOARD).get("e1")).toBe("K");
    expect(foggy(BOARD)).toEqual(SQUARES.slice(0, 24));
    expect(placement(seenPieces(BOARD))).toBe("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
  });

  it("takes what is told, and an empty move for what was not seen", () => {
    const one = after(FOGGED, sighted({ seat: 0, uci: "e2e4", dests: "a2a3", turn: 1 }));
    expect(one).toMatchObject({ moves: ["e2e4"], turn: 1, dests: "a2a3", fen: "" });
    const two = after(one, sighted({ plies: 2, taken: "P", check: true }));
    expect(two).toMatchObject({ moves: ["e2e4", ""], turn: 0, taken: "P", check: true });
    expect(after(two, sighted({ plies: 2, board: BOARD.replace(".", "?") })).moves).toHaveLength(2);
  });

  it("forgets a number that went out of sight", () => {
    const minefield = { left: 3, numbers: [{ square: "a5", mines: 1 }, { square: "a8", mines: 2 }] };
    expect(after({ ...FOGGED, minefield }, sighted({})).minefield?.numbers).toEqual([{ square: "a5", mines: 1 }]);
  });

  it("goes where the server says", () => {
    expect([...toldDests("e2e4 e2e3 a7a8q a7a8n")]).toEqual([["e2", ["e4", "e3"]], ["a7", ["a8"]]]);
    expect(toldDests("").size).toBe(0);
  });

  it("says no more than was told", () => {
    const scene = { position: FOGGED, words: LANGUAGES.en, you: 0, nameAt: String } as unknown as ChessScene;
    expect(announce(sighted({}), scene)).toBe("Black has moved somewhere in the fog.");
    expect(announce(sighted({ seat: 0, uci: "e2e1" }), scene)).toBe("White: king e1.");
  });
});

describe("mines", () => {
  const MINED: ChessPosition = { ...BEGIN, minefield: { left: 5 } };

  it("go off, and their squares get numbers that may change", () => {
    const then = after(
      MINED,
      moved(1, "e2e4", E4),
      { e: "exploded", square: "e4", left: 4, piece: "P" },
      { e: "revealed", square: "e4", mines: 2 },
      { e: "revealed", square: "d5", mines: 1 },
      { e: "revealed", square: "e4", mines: 1 },
    );
    expect(then.taken).toBe("P");
    expect(then.minefield).toEqual({
      left: 4,
      blasts: [{ ply: 1, square: "e4", piece: "P" }],
      numbers: [{ square: "d5", mines: 1 }, { square: "e4", mines: 1 }],
      all: [],
    });
    expect(lost(then.taken, "white")).toEqual(["P"]);
  });

  it("leave no piece behind in the record", () => {
    const then = after(MINED, moved(1, "e2e4", E4), { e: "exploded", square: "e4", left: 4, piece: "P" });
    expect(recordOf(then).map(({ placement: board }) => board)[1]).toBe("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
  });
});

describe("where pieces may go", () => {
  it("is every legal move", () => {
    const dests = destsOf(START, null);
    expect([...dests.values()].flat()).toHaveLength(20);
    expect(dests.get("e2")).toEqual(["e3", "e4"]);
  });

  it("castles by a move of the king", () => {
    const dests = destsOf("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", null).get("e1")!;
    expect(dests).toContain("g1");
    expect(dests).toContain("c1");
    expect(dests).not.toContain("h1");
  });

  it("follows the dice, unless the move is free", () => {
    const hand = { owner: 1, dice: "NPQ", used: "...", current: 0, movers: "N" };
    expect([...destsOf(START, hand).keys()].sort()).toEqual(["b1", "g1"]);
    expect(destsOf(START, { ...hand, free: true }).size).toBe(10);
    expect(destsOf(START, { ...hand, movers: "" }).size).toBe(0);
  });

  it("survives positions that chess does not have", () => {
    expect(destsOf("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", null).size).toBeGreaterThan(0);
    expect(destsOf("nonsense", null).size).toBe(0);
  });
});

describe("squares", () => {
  it("carry a move: castling, taking in passing, promotion", () => {
    const moveOf = (fen: string, uci: string) => placement(carry(piecesOf(fen), uci));
    expect(moveOf("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1")).toBe("r3k2r/8/8/8/8/8/8/R4RK1");
    expect(moveOf("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8")).toBe("2kr3r/8/8/8/8/8/8/R3K2R");
    expect(moveOf("8/8/8/3pP3/8/8/8/8 w - d6 0 1", "e5d6")).toBe("8/8/3P4/8/8/8/8/8");
    expect(moveOf("8/8/8/8/8/8/p7/1R6 b - - 0 1", "a2b1n")).toBe("8/8/8/8/8/8/8/1n6");
    expect(moveOf(START, "e4e5")).toBe(START.split(" ")[0]);
  });

  it("know a pawn's last rank", () => {
    const pieces = piecesOf("8/P7/8/8/8/8/p6R/8 w - - 0 1");
    expect([promotes(pieces, "a7a8"), promotes(pieces, "a2a1"), promotes(pieces, "h2h8")]).toEqual([true, true, false]);
  });

  it("are gone about with the keys, from either side", () => {
    const ways = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "x"];
    expect(ways.map((key) => neighbour("d4", key, "white"))).toEqual(["d5", "d3", "c4", "e4", "a4", "h4", "d8", "d1", "d4"]);
    expect(ways.map((key) => neighbour("d4", key, "black"))).toEqual(["d3", "d5", "e4", "c4", "h4", "a4", "d1", "d8", "d4"]);
    expect([neighbour("a8", "ArrowUp", "white"), neighbour("a8", "ArrowLeft", "white")]).toEqual(["a8", "a8"]);
  });

  it("are read from a FEN and written again", () => {
    for (const fen of [START, "8/8/8/8/8/8/8/8", "r3k2r/8/8/3pP3/8/8/8/R3K2R"]) {
      expect(placement(piecesOf(fen))).toBe(fen.split(" ")[0]);
    }
  });
});

describe("the record", () => {
  const game = (moves: string[], sides = "") => recordOf({ moves, sides, minefield: null });

  it("names moves as people do", () => {
    const fools = game(["f2f3", "e7e5", "g2g4", "d8h4"]);
    expect(fools.map(({ san }) => san)).toEqual(["", "f3", "e5", "g4", "Qh4#"]);
    const castle = game(["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"]);
    expect(castle.at(-1)!.san).toBe("O-O");
  });

  it("goes on when a side moves again", () => {
    const dice = game(["e2e4", "d2d4", "b1c3", "e7e5"], "wwwb");
    expect(dice.map(({ san }) => san)).toEqual(["", "e4", "d4", "Nc3", "e5"]);
  });

  it("ends where a move was not seen", () => {
    expect(game(["e2e4", "", "d2d4"])).toHaveLength(2);
  });

  it("keeps moves that chess has no name for", () => {
    expect(game(["e2e5"])[1]).toMatchObject({ san: "e2-e5", placement: "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR" });
  });
});

describe("the page", () => {
  const scene = (position: ChessPosition, more: object = {}) =>
    ({ position, back: null, mayMove: true, draft: null, words: LANGUAGES.en, room: { phase: "playing" }, ...more }) as unknown as ChessScene;

  it("looks back at an open game, and in fog only when it is over", () => {
    const game = after(BEGIN, moved(1, "e2e4", E4));
    expect(pageOf(scene(game, { back: { step: 0, total: 1 } }))).toMatchObject({ step: 0, earlier: true, news: false });
    expect(pageOf(scene({ ...game, fen: "" }, { back: { step: 0, total: 1 } }))).toMatchObject({ earlier: false, closed: true });
    const looked: unknown[] = [];
    turnTo(scene(game, { look: (back: unknown) => looked.push(back) }), 0);
    turnTo(scene({ ...game, fen: "" }, { look: (back: unknown) => looked.push(back) }), 0);
    expect(looked).toEqual([{ step: 0, total: 1 }, null]);
  });

  it("says what may be moved, checks and claims", () => {
    const hand = { owner: 1, dice: "NPQ", used: "...", current: 0, movers: "NK" };
    expect(statusOf(scene(BEGIN))).toBe(null);
    expect(statusOf(scene({ ...BEGIN, check: true }))?.text).toBe("Your turn. Check!");
    expect(statusOf(scene({ ...BEGIN, hand }))?.text).toBe("Your turn: knight, king");
    expect(statusOf(scene({ ...BEGIN, hand: { ...hand, free: true } }))?.text).toMatch(/one move without dice/);
    expect(statusOf(scene({ ...BEGIN, claim: "threefold" }))?.button?.label).toBe("Claim a draw");
  });

  it("announces moves in words", () => {
    const said = (event: ChessEvent) => announce(event, { ...scene(BEGIN), nameAt: () => "Ada", you: 0 } as ChessScene);
    expect(said(moved(1, "e2e4", E4))).toBe("White: pawn e4.");
    expect(said(moved(1, "e2e4", E4, { taken: "p", check: true }))).toBe("White: pawn takes e4. Check.");
    expect(said(moved(0, "e8c8", "2kr4/8/8/8/8/8/8/4K3 w - - 0 1"))).toBe("Black castles queenside.");
    expect(said({ e: "rolled", seat: 0, dice: "PNQ" })).toBe("Ada throws pawn, knight, queen.");
    expect(said({ e: "exploded", square: "c3", left: 1 })).toBe("A mine went off on c3.");
  });
});
