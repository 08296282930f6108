/** The position the board shows: current, earlier, or as a player saw it. */

import { legalDestinations, destinationsFromServer, type Destinations } from "./legalMoves";
import { shownMove, type ChessScene } from "../moveNavigation";
import { showFogAsSeen } from "./orientation";
import { colourOf, fullPosition, fullDice, isFogged, type FullPosition } from "../position";
import { moveRecord } from "../notation/moveRecord";
import { movePiece, moveSquares, foggedSquares, kindOf, piecesOf, visiblePieces, START, type Colour, type Pieces } from "../squares";

export interface ShownPosition {
  pieces: Pieces;
  fog: readonly string[];
  lastMove: readonly string[];
  check: Colour | null;
}

/** Return the position to show. */
export function shownPosition(scene: ChessScene): ShownPosition {
  if (scene.position === null) return { pieces: piecesOf(START), fog: [], lastMove: [], check: null };
  const game = fullPosition(scene.position);
  const { step, total, earlier } = shownMove(scene);
  if (showFogAsSeen.value && game.boards.length > step) return throughFog(game, step);
  if (earlier) return earlierPosition(game, step);
  const shown = currentPosition(game);
  const made = total === step ? withPendingMove(scene) : null;
  return made ? { ...shown, pieces: movePiece(shown.pieces, made), lastMove: moveSquares(made), check: null } : shown;
}

/** Return the position with a move that is unconfirmed or waits for its promotion piece. */
export function withPendingMove({ pending, draft }: ChessScene): string | null {
  if (pending?.do === "move") return pending.uci;
  return draft?.do === "move" ? draft.uci : null;
}

function currentPosition(game: FullPosition): ShownPosition {
  const last = game.moves.at(-1) ?? "";
  const shown = isFogged(game)
    ? { pieces: visiblePieces(game.board), fog: foggedSquares(game.board) }
    : { pieces: piecesOf(game.fen), fog: [] };
  return { ...shown, lastMove: last ? moveSquares(last) : [], check: game.check ? colourOf(game, game.turn) : null };
}

function earlierPosition(game: FullPosition, step: number): ShownPosition {
  const frame = moveRecord(game)[step];
  if (!frame) return currentPosition(game);
  const check = frame.check ? (frame.side === "w" ? "black" : "white") : null;
  return { pieces: piecesOf(frame.placement), fog: [], lastMove: frame.uci ? moveSquares(frame.uci) : [], check };
}

function throughFog(game: FullPosition, step: number): ShownPosition {
  const board = game.boards[step]!;
  const fog = foggedSquares(board);
  const last = step > 0 ? moveSquares(game.moves[step - 1] ?? "") : [];
  const visible = last.every((square) => !fog.includes(square)) ? last : [];
  return { pieces: visiblePieces(board), fog, lastMove: visible, check: null };
}

/** Return the allowed destinations; null: any, if the table does not check moves. */
export function canMoveNow({ room, position }: ChessScene): Destinations | null {
  if (position === null) return new Map();
  if ("unchecked_moves" in room.options && room.options.unchecked_moves) return null;
  const { fen, dests, dice: hand, board } = fullPosition(position);
  if (fen) return legalDestinations(fen, hand);
  const all = destinationsFromServer(dests);
  if (hand === null) return all;
  const { free, movers } = fullDice(hand);
  const pieces = visiblePieces(board);
  return new Map([...all].filter(([from]) => free || movers.includes(kindOf(pieces.get(from) ?? "K"))));
}
