/** Legal destinations, for the dots on the board. */

import { Castles, Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";
import { makeSquare } from "chessops/util";
import type { ChessCurrentDice } from "../../../net/protocol";
import { kindOf, piecesOf } from "../squares";

export type Destinations = Map<string, string[]>;

/** Return a position for move generation; impossible positions are accepted, since mines can cause them. */
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

/** Return all legal moves of the side to move with these dice. */
export function legalDestinations(fen: string, hand: ChessCurrentDice | null): Destinations {
  const position = positionOf(fen);
  const dests: Destinations = new Map();
  if (position === null) return dests;
  const pieces = piecesOf(fen);
  for (const [from, squares] of position.allDests()) {
    const [square, ends] = [makeSquare(from), [...squares].map(makeSquare)];
    const letter = pieces.get(square)!;
    if (hand && !hand.free && !(hand.movers ?? "").includes(kindOf(letter))) continue;
    const destinations = ends.map((end) => (kindOf(letter) === "K" && castlingDestinations(pieces.get(end), letter) ? addRookSquares(square, end) : end));
    if (destinations.length > 0) dests.set(square, destinations);
  }
  return dests;
}

/** Return the moves that the server has sent, as in fog. */
export function destinationsFromServer(moves: string): Destinations {
  const dests: Destinations = new Map();
  for (const uci of moves.split(" ").filter(Boolean)) {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const list = dests.get(from) ?? [];
    if (!list.includes(to)) dests.set(from, [...list, to]);
  }
  return dests;
}

/** chessops writes castling as the king capturing its own rook. */
function castlingDestinations(target: string | undefined, king: string): boolean {
  return target !== undefined && target === (king === "K" ? "R" : "r");
}

function addRookSquares(king: string, rook: string): string {
  return `${rook[0]! > king[0]! ? "g" : "c"}${king[1]}`;
}
