/** What the board shows: the game as it stands, an earlier page of it, or what a player saw of it. */

import { destsOf, toldDests, type Dests } from "./legal";
import { pageOf, type ChessScene } from "./lookback";
import { asSeen } from "./outlook";
import { colourOf, full, fullHand, isFogged, type Full } from "./position";
import { recordOf } from "./record";
import { carry, ends, foggy, kindOf, piecesOf, seenPieces, START, type Colour, type Pieces } from "./squares";

export interface Shown {
  pieces: Pieces;
  fog: readonly string[];
  lastMove: readonly string[];
  check: Colour | null;
}

/** Return what lies where. */
export function shownOf(scene: ChessScene): Shown {
  if (scene.position === null) return { pieces: piecesOf(START), fog: [], lastMove: [], check: null };
  const game = full(scene.position);
  const { step, total, earlier } = pageOf(scene);
  if (asSeen.value && game.boards.length > step) return through(game, step);
  if (earlier) return fromRecord(game, step);
  const shown = now(game);
  const made = total === step ? unconfirmed(scene) : null;
  return made ? { ...shown, pieces: carry(shown.pieces, made), lastMove: ends(made), check: null } : shown;
}

/** Return our move that the server has not confirmed, or that waits for the kind of piece a pawn becomes. */
export function unconfirmed({ pending, draft }: ChessScene): string | null {
  if (pending?.do === "move") return pending.uci;
  return draft?.do === "move" ? draft.uci : null;
}

function now(game: Full): Shown {
  const last = game.moves.at(-1) ?? "";
  const shown = isFogged(game)
    ? { pieces: seenPieces(game.board), fog: foggy(game.board) }
    : { pieces: piecesOf(game.fen), fog: [] };
  return { ...shown, lastMove: last ? ends(last) : [], check: game.check ? colourOf(game, game.turn) : null };
}

function fromRecord(game: Full, step: number): Shown {
  const frame = recordOf(game)[step];
  if (!frame) return now(game);
  const check = frame.check ? (frame.side === "w" ? "black" : "white") : null;
  return { pieces: piecesOf(frame.placement), fog: [], lastMove: frame.uci ? ends(frame.uci) : [], check };
}

function through(game: Full, step: number): Shown {
  const board = game.boards[step]!;
  const fog = foggy(board);
  const last = step > 0 ? ends(game.moves[step - 1] ?? "") : [];
  const seen = last.every((square) => !fog.includes(square)) ? last : [];
  return { pieces: seenPieces(board), fog, lastMove: seen, check: null };
}

/** Return where our pieces may go; null: anywhere, at a table that trusts its players. */
export function mayGo({ room, position }: ChessScene): Dests | null {
  if (position === null) return new Map();
  if ("trusting" in room.options && room.options.trusting) return null;
  const { fen, dests, hand, board } = full(position);
  if (fen) return destsOf(fen, hand);
  const told = toldDests(dests);
  if (hand === null) return told;
  const { free, movers } = fullHand(hand);
  const pieces = seenPieces(board);
  return new Map([...told].filter(([from]) => free || movers.includes(kindOf(pieces.get(from) ?? "K"))));
}
