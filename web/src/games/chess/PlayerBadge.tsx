/** Small pieces beside names: colour, captures, emblem. */

import { texts } from "../../i18n/language";
import type { ChessPosition, Seat } from "../../net/protocol";
import { colourOf, fullPosition } from "./position";
import { colourOfPiece, KINDS, kindOf, type Colour, type Kind } from "./squares";

const ROLES: Record<Kind, string> = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king" };
const PIECE_VALUE: Record<Kind, number> = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0 };

/** Image of a piece, hidden from screen readers. */
export function Piece({ kind, colour, class: style = "" }: { kind: Kind; colour: Colour; class?: string }) {
  return <span class={`chess-piece ${colour} ${ROLES[kind]} ${style}`} aria-hidden="true" />;
}

export function Badge({ position, seat }: { position: ChessPosition; seat: Seat }) {
  const colour = colourOf(position, seat);
  return (
    <span role="img" aria-label={texts.value.games.chess[colour]}>
      <Piece kind="K" colour={colour} />
    </span>
  );
}

/** Return the captured pieces of a colour, pawns first. */
export function capturedPieces(taken: string, colour: Colour): readonly Kind[] {
  const ownColour = [...taken].filter((letter) => /[a-z]/i.test(letter) && colourOfPiece(letter) === colour).map(kindOf);
  return KINDS.flatMap((kind) => ownColour.filter((one) => one === kind));
}

/** Captured pieces and material advantage of a seat. */
export function Score({ position, seat }: { position: ChessPosition; seat: Seat }) {
  const { taken, fen } = fullPosition(position);
  const ownColour = colourOf(position, seat);
  const other = ownColour === "white" ? "black" : "white";
  const captured = capturedPieces(taken, other);
  const lead = fen ? materialOf(fen, ownColour) - materialOf(fen, other) : 0;
  const text = texts.value.games.chess;
  if (captured.length === 0 && lead <= 0) return null;
  const labels = KINDS.flatMap((kind) => {
    const count = captured.filter((one) => one === kind).length;
    return count > 0 ? [text.times(count, text.pieces[kind])] : [];
  });
  return (
    <span class="taken" role="img" aria-label={text.captured(labels.join(text.comma))}>
      {captured.map((kind, index) => (
        <Piece key={index} kind={kind} colour={other} class={captured[index + 1] === kind ? "" : "last-of-kind"} />
      ))}
      {lead > 0 && <small class="taken-lead">+{lead}</small>}
    </span>
  );
}

/** Return the material of a colour. */
function materialOf(fen: string, colour: Colour): number {
  const letters = (fen.split(" ")[0] ?? "").replace(/[^a-z]/gi, "");
  return [...letters].reduce((sum, letter) => sum + (colourOfPiece(letter) === colour ? PIECE_VALUE[kindOf(letter)] : 0), 0);
}

export function Icon() {
  return (
    <svg class="game-icon" viewBox="11 7 42 52" aria-hidden="true">
      <path
        class="game-icon-horse"
        d="M21 49.5c-.8-8.5 7-12 8.2-19.2-2.6.6-4.3 3.7-8 3.9-3.6.2-6.2-2.3-5.7-5.6.4-2.7 3.7-6 5.2-10.3.8-2.3.6-4.8 1-8.3 2.3.9 4.3 2.4 5.5 4C40 14.5 48 24 48 37.5c0 4.5-.6 8.5-1.6 12zM16 52h32v4H16z"
      />
    </svg>
  );
}
