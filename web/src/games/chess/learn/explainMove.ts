/** Why a chess move cannot be made, for readers who try one. */

import type { ChessPosition } from "../../../net/protocol";
import { destinationsFromServer, legalDestinations, positionOf } from "../lazyParts";
import { fullDice, fullPosition, isFogged } from "../position";
import { colourOfPiece, kindOf, moveSquares, piecesOf, visiblePieces, type Kind, type Pieces } from "../squares";

export type RefusalCode =
  | "notYours" | "die" | "dieKing" | "ownPiece" | "pawnBlocked" | "pawnTakes" | "pawnStep" | "shape" | "blocked"
  | "castle" | "castleCheck" | "castleThrough" | "check" | "kingDanger" | "pinned" | "unseen";

export interface MoveRefusal {
  code: RefusalCode;
  /** The piece that was to move. */
  kind: Kind;
  /** The piece in the way, as a letter of a FEN. */
  blocker?: string;
}

/** Return why the side to move may not make a move; null if it may. */
export function explainMove(position: ChessPosition, uci: string): MoveRefusal | null {
  const game = fullPosition(position);
  const pieces = isFogged(game) ? visiblePieces(game.board) : piecesOf(game.fen);
  const [from, to] = moveSquares(uci);
  const letter = pieces.get(from);
  const white = game.turn === game.white;
  if (letter === undefined || (colourOfPiece(letter) === "white") !== white) return { code: "notYours", kind: "P" };
  const kind = kindOf(letter);
  const refusal = (code: RefusalCode, blocker?: string): MoveRefusal => ({ code, kind, ...(blocker && { blocker }) });
  const dice = game.dice && fullDice(game.dice);
  if (dice && !dice.free && !dice.movers.includes(kind)) return refusal(kind === "K" ? "dieKing" : "die");
  const dests = isFogged(game) ? destinationsFromServer(game.dests) : legalDestinations(game.fen, null);
  if (dests.get(from)?.includes(to)) return null;
  const target = pieces.get(to);
  if (target && colourOfPiece(target) === colourOfPiece(letter)) return refusal("ownPiece");
  const wrong = kind === "P" ? pawnRefusal(pieces, from, to, white) : kind === "K" ? kingRefusal(game.fen, from, to, game.check) : lineRefusal(pieces, kind, from, to);
  if (wrong) return refusal(...wrong);
  if (isFogged(game)) return refusal(game.check ? "check" : "unseen");
  return refusal(kind === "K" ? "kingDanger" : game.check || inCheck(game.fen) ? "check" : "pinned");
}

type Wrong = readonly [code: RefusalCode, blocker?: string] | null;

const inCheck = (fen: string) => positionOf(fen)?.isCheck() ?? false;

const file = (square: string) => square.charCodeAt(0);
const rank = (square: string) => Number(square[1]);

function pawnRefusal(pieces: Pieces, from: string, to: string, white: boolean): Wrong {
  const forward = (rank(to) - rank(from)) * (white ? 1 : -1);
  const aside = Math.abs(file(to) - file(from));
  if (aside === 1 && forward === 1) return pieces.has(to) ? null : ["pawnTakes"];
  const isFirst = rank(from) === (white ? 2 : 7);
  if (aside > 0 || forward < 1 || forward > (isFirst ? 2 : 1)) return ["pawnStep"];
  const blocker = between(from, to).concat(to).map((square) => pieces.get(square)).find(Boolean);
  return blocker ? ["pawnBlocked", blocker] : null;
}

function kingRefusal(fen: string, from: string, to: string, check: boolean): Wrong {
  const [across, up] = [file(to) - file(from), rank(to) - rank(from)];
  if (Math.max(Math.abs(across), Math.abs(up)) === 1) return null;
  if (up !== 0 || Math.abs(across) !== 2) return ["shape"];
  const rights = fen.split(" ")[2] ?? "";
  const side = across > 0 ? "K" : "Q";
  if (!rights.includes(rank(from) === 1 ? side : side.toLowerCase())) return ["castle"];
  if (check || inCheck(fen)) return ["castleCheck"];
  const passed = `${String.fromCharCode(file(from) + Math.sign(across))}${from[1]}`;
  const pieces = piecesOf(fen);
  const rook = `${across > 0 ? "h" : "a"}${from[1]}`;
  const blocker = between(from, rook).map((square) => pieces.get(square)).find(Boolean);
  if (blocker) return ["blocked", blocker];
  return legalDestinations(fen, null).get(from)?.includes(passed) ? ["kingDanger"] : ["castleThrough"];
}

function lineRefusal(pieces: Pieces, kind: Kind, from: string, to: string): Wrong {
  const [across, up] = [Math.abs(file(to) - file(from)), Math.abs(rank(to) - rank(from))];
  const straight = across === 0 || up === 0;
  const diagonal = across === up;
  const fits = { N: across * up === 2, B: diagonal, R: straight, Q: straight || diagonal, P: false, K: false }[kind];
  if (!fits) return ["shape"];
  const blocker = kind === "N" ? undefined : between(from, to).map((square) => pieces.get(square)).find(Boolean);
  return blocker ? ["blocked", blocker] : null;
}

/** Return the squares between two squares of a line. */
function between(from: string, to: string): string[] {
  const [across, up] = [file(to) - file(from), rank(to) - rank(from)];
  const count = Math.max(Math.abs(across), Math.abs(up));
  return Array.from({ length: Math.max(0, count - 1) }, (_, index) => {
    const part = (index + 1) / count;
    return `${String.fromCharCode(file(from) + across * part)}${rank(from) + up * part}`;
  });
}
