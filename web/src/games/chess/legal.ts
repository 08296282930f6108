/** Where pieces may go, for the dots on the board; the server decides. */

import { Castles, Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";
import { makeSquare } from "chessops/util";
import type { ChessHand } from "../../wire";
import { kindOf, piecesOf } from "./squares";

export type Dests = Map<string, string[]>;

/** Return a position to ask; odd ones are welcome, since a mine may have opened a line to any king. */
export function positionOf(fen: string): Chess | null {
  const setup = parseFen(fen).unwrap((found) => found, () => null);
  if (setup === null) return null;
  const position = Chess.default();
  position.board = setup.board;
  position.turn = setup.turn;
  position.castles = Castles.fromSetup(setup);
  position.epSquare = setup.epSquare;
  position.halfmoves = setup.halfmoves;
  position.fullmoves = setup.fullmoves;
  return position;
}

/** Return every legal move of the side to move, with these dice on the table. */
export function destsOf(fen: string, hand: ChessHand | null): Dests {
  const position = positionOf(fen);
  const dests: Dests = new Map();
  if (position === null) return dests;
  const pieces = piecesOf(fen);
  for (const [from, squares] of position.allDests()) {
    const [square, ends] = [makeSquare(from), [...squares].map(makeSquare)];
    const letter = pieces.get(square)!;
    if (hand && !hand.free && !(hand.movers ?? "").includes(kindOf(letter))) continue;
    const own = ends.map((end) => (kindOf(letter) === "K" && castles(pieces.get(end), letter) ? beside(square, end) : end));
    if (own.length > 0) dests.set(square, own);
  }
  return dests;
}

/** Return the moves that the server has told, as in fog. */
export function toldDests(told: string): Dests {
  const dests: Dests = new Map();
  for (const uci of told.split(" ").filter(Boolean)) {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const list = dests.get(from) ?? [];
    if (!list.includes(to)) dests.set(from, [...list, to]);
  }
  return dests;
}

/** The library writes castling as the king taking its own rook. */
function castles(target: string | undefined, king: string): boolean {
  return target !== undefined && target === (king === "K" ? "R" : "r");
}

function beside(king: string, rook: string): string {
  return `${rook[0]! > king[0]! ? "g" : "c"}${king[1]}`;
}
