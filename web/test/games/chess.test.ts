/** Position, fog, mines, moves and status of chess. */

import { describe, expect, it } from "vitest";
import { legalDestinations, destinationsFromServer } from "../../src/games/chess/board/legalMoves";
import { shownMove, showMove, type ChessScene } from "../../src/games/chess/moveNavigation";
import { colourOf, fullPosition, reduce, sidesOf } from "../../src/games/chess/position";
import { moveRecord } from "../../src/games/chess/notation/moveRecord";
import { announceChess, chessStatus } from "../../src/games/chess/announcements";
import { capturedPieces } from "../../src/games/chess/PlayerBadge";
import { movePiece, foggedSquares, piecesOf, placement, promotes, visiblePieces, SQUARES, START } from "../../src/games/chess/squares";
import { TEXTS } from "../allTexts";
import type { ChessEvent, ChessPosition } from "../../src/net/protocol";

const BEGIN: ChessPosition = { white: 1, turn: 1, fen: START };
const E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
const moved = (seat: number, uci: string, fen: string, more = {}): ChessEvent => ({ e: "moved", seat, uci, fen, ...more });
const after = (position: ChessPosition, ...events: ChessEvent[]) => fullPosition(events.reduce(reduce, position));

describe("a position of chess", () => {
  it("takes a move: the new board, whose turn it is, what was taken", () => {
    const one = after(BEGIN, moved(1, "e2e4", E4));
    expect(one).toMatchObject({ fen: E4, turn: 0, moves: ["e2e4"], sides: "", check: false, taken: "" });
    const two = after(one, moved(0, "d7d5", E4.replace(" b ", " w "), { check: true, taken: "P", claim: "fifty" }));
    expect(two).toMatchObject({ turn: 1, check: true, taken: "P", draw_claim: "fifty", moves: ["e2e4", "d7d5"] });
    expect(after(two, moved(1, "e4d5", E4))).toMatchObject({ check: false, draw_claim: "", taken: "P" });
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

  it("ignores an unknown event", () => {
    expect(reduce(BEGIN, { e: "earthquake" } as never)).toBe(BEGIN);
  });
});

describe("a position in the fog", () => {
  const BOARD = "????????" + "????????" + "????????" + "........" + "........" + "........" + "PPPPPPPP" + "RNBQKBNR";
  const FOGGED: ChessPosition = { white: 0, turn: 0, fen: "", board: BOARD, dests: "e2e4 e2e3 g1f3" };
  const sighted = (more: object): ChessEvent =>
    ({ e: "moved_in_fog", seat: 1, uci: "", plies: 1, board: BOARD, dests: "", turn: 0, ...more }) as ChessEvent;

  it("shows visible pieces, and fog elsewhere", () => {
    expect(visiblePieces(BOARD).size).toBe(16);
    expect(visiblePieces(BOARD).get("e1")).toBe("K");
    expect(foggedSquares(BOARD)).toEqual(SQUARES.slice(0, 24));
    expect(placement(visiblePieces(BOARD))).toBe("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR");
  });

  it("applies visible moves, and empty moves for hidden ones", () => {
    const one = after(FOGGED, sighted({ seat: 0, uci: "e2e4", dests: "a2a3", turn: 1 }));
    expect(one).toMatchObject({ moves: ["e2e4"], turn: 1, dests: "a2a3", fen: "" });
    const two = after(one, sighted({ plies: 2, taken: "P", check: true }));
    expect(two).toMatchObject({ moves: ["e2e4", ""], turn: 0, taken: "P", check: true });
    expect(after(two, sighted({ plies: 2, board: BOARD.replace(".", "?") })).moves).toHaveLength(2);
  });

  it("drops a mine count that is out of sight", () => {
    const minefield = { left: 3, numbers: [{ square: "a5", mines: 1 }, { square: "a8", mines: 2 }] };
    expect(after({ ...FOGGED, minefield }, sighted({})).minefield?.numbers).toEqual([{ square: "a5", mines: 1 }]);
  });

  it("uses the destinations of the server", () => {
    expect([...destinationsFromServer("e2e4 e2e3 a7a8q a7a8n")]).toEqual([["e2", ["e4", "e3"]], ["a7", ["a8"]]]);
    expect(destinationsFromServer("").size).toBe(0);
  });

  it("announces only what the viewer knows", () => {
    const scene = { position: FOGGED, texts: TEXTS.en, you: 0, nameAt: String } as unknown as ChessScene;
    expect(announceChess(sighted({}), scene)).toBe("Black moved in the fog.");
    expect(announceChess(sighted({ seat: 0, uci: "e2e1" }), scene)).toBe("White: king e1.");
  });
});

describe("mines", () => {
  const MINED: ChessPosition = { ...BEGIN, minefield: { left: 5 } };

  it("explode, and their squares get mine counts", () => {
    const then = after(
      MINED,
      moved(1, "e2e4", E4),
      { e: "exploded", square: "e4", left: 4, piece: "P" },
      { e: "landed_on_number", square: "e4", mines: 2 },
      { e: "landed_on_number", square: "d5", mines: 1 },
      { e: "landed_on_number", square: "e4", mines: 1 },
    );
    expect(then.taken).toBe("P");
    expect(then.minefield).toEqual({
      left: 4,
      explosions: [{ ply: 1, square: "e4", piece: "P" }],
      numbers: [{ square: "d5", mines: 1 }, { square: "e4", mines: 1 }],
      all: [],
    });
    expect(capturedPieces(then.taken, "white")).toEqual(["P"]);
  });

  it("remove the piece from the record", () => {
    const then = after(MINED, moved(1, "e2e4", E4), { e: "exploded", square: "e4", left: 4, piece: "P" });
    expect(moveRecord(then).map(({ placement: board }) => board)[1]).toBe("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
  });
});

describe("where pieces may go", () => {
  it("is every legal move", () => {
    const dests = legalDestinations(START, null);
    expect([...dests.values()].flat()).toHaveLength(20);
    expect(dests.get("e2")).toEqual(["e3", "e4"]);
  });

  it("castles by a move of the king", () => {
    const dests = legalDestinations("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", null).get("e1")!;
    expect(dests).toContain("g1");
    expect(dests).toContain("c1");
    expect(dests).not.toContain("h1");
  });

  it("follows the dice, unless the move is free", () => {
    const hand = { owner: 1, dice: "NPQ", used: "...", current: 0, movers: "N" };
    expect([...legalDestinations(START, hand).keys()].sort()).toEqual(["b1", "g1"]);
    expect(legalDestinations(START, { ...hand, free: true }).size).toBe(10);
    expect(legalDestinations(START, { ...hand, movers: "" }).size).toBe(0);
  });

  it("accepts impossible positions", () => {
    expect(legalDestinations("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", null).size).toBeGreaterThan(0);
    expect(legalDestinations("nonsense", null).size).toBe(0);
  });
});

describe("squares", () => {
  it("apply a move: castling, en passant, promotion", () => {
    const moveOf = (fen: string, uci: string) => placement(movePiece(piecesOf(fen), uci));
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

  it("are read from a FEN and written again", () => {
    for (const fen of [START, "8/8/8/8/8/8/8/8", "r3k2r/8/8/3pP3/8/8/8/R3K2R"]) {
      expect(placement(piecesOf(fen))).toBe(fen.split(" ")[0]);
    }
  });
});

describe("the record", () => {
  const game = (moves: string[], sides = "") => moveRecord({ moves, sides, minefield: null });

  it("has SAN", () => {
    const fools = game(["f2f3", "e7e5", "g2g4", "d8h4"]);
    expect(fools.map(({ san }) => san)).toEqual(["", "f3", "e5", "g4", "Qh4#"]);
    const castle = game(["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"]);
    expect(castle.at(-1)!.san).toBe("O-O");
  });

  it("continues when a side moves twice", () => {
    const dice = game(["e2e4", "d2d4", "b1c3", "e7e5"], "wwwb");
    expect(dice.map(({ san }) => san)).toEqual(["", "e4", "d4", "Nc3", "e5"]);
  });

  it("ends where a move was not seen", () => {
    expect(game(["e2e4", "", "d2d4"])).toHaveLength(2);
  });

  it("keeps illegal moves", () => {
    expect(game(["e2e5"])[1]).toMatchObject({ san: "e2-e5", placement: "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR" });
  });
});

describe("the page", () => {
  const scene = (position: ChessPosition, more: object = {}) =>
    ({ position, cursor: null, mayMove: true, draft: null, texts: TEXTS.en, room: { phase: "playing" }, ...more }) as unknown as ChessScene;

  it("steps back in an open game, and in fog only when it is over", () => {
    const game = after(BEGIN, moved(1, "e2e4", E4));
    expect(shownMove(scene(game, { cursor: { step: 0, total: 1 } }))).toMatchObject({ step: 0, earlier: true, newMoves: false });
    expect(shownMove(scene({ ...game, fen: "" }, { cursor: { step: 0, total: 1 } }))).toMatchObject({ earlier: false, closed: true });
    const looked: unknown[] = [];
    showMove(scene(game, { setCursor: (back: unknown) => looked.push(back) }), 0);
    showMove(scene({ ...game, fen: "" }, { setCursor: (back: unknown) => looked.push(back) }), 0);
    expect(looked).toEqual([{ step: 0, total: 1 }, null]);
  });

  it("shows dice, checks and claims", () => {
    const hand = { owner: 1, dice: "NPQ", used: "...", current: 0, movers: "NK" };
    expect(chessStatus(scene(BEGIN))).toBe(null);
    expect(chessStatus(scene({ ...BEGIN, check: true }))?.text).toBe("Your turn. Check!");
    expect(chessStatus(scene({ ...BEGIN, dice: hand }))?.text).toBe("Your turn: knight, king");
    expect(chessStatus(scene({ ...BEGIN, dice: { ...hand, free: true } }))?.text).toMatch(/one move without dice/);
    expect(chessStatus(scene({ ...BEGIN, draw_claim: "threefold" }))?.button?.label).toBe("Claim a draw");
  });

  it("announces moves", () => {
    const said = (event: ChessEvent) => announceChess(event, { ...scene(BEGIN), nameAt: () => "Ada", you: 0 } as ChessScene);
    expect(said(moved(1, "e2e4", E4))).toBe("White: pawn e4.");
    expect(said(moved(1, "e2e4", E4, { taken: "p", check: true }))).toBe("White: pawn captures on e4. Check.");
    expect(said(moved(0, "e8c8", "2kr4/8/8/8/8/8/8/4K3 w - - 0 1"))).toBe("Black castles queenside.");
    expect(said({ e: "rolled", seat: 0, dice: "PNQ" })).toBe("Ada rolls pawn, knight, queen.");
    expect(said({ e: "exploded", square: "c3", left: 1 })).toBe("A mine exploded on c3.");
  });
});
