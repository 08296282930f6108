/** Squares and pieces of a FEN, without rules. */

export type Colour = "white" | "black";
export type Kind = "P" | "N" | "B" | "R" | "Q" | "K";

/** Piece letters by square: upper case is white. */
export type Pieces = ReadonlyMap<string, string>;

export const KINDS: readonly Kind[] = ["P", "N", "B", "R", "Q", "K"];
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const FILES = "abcdefgh";

/** All squares from a8 to h1. */
export const SQUARES: readonly string[] = Array.from(
  { length: 64 },
  (_, index) => `${FILES[index % 8]}${8 - Math.floor(index / 8)}`,
);

/** Return the colour of a piece letter. */
export function colourOfPiece(letter: string): Colour {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/** Return the kind of a piece letter. */
export function kindOf(letter: string): Kind {
  return letter.toUpperCase() as Kind;
}

/** Return the pieces of a FEN. */
export function piecesOf(fen: string): Pieces {
  const pieces = new Map<string, string>();
  const row = (fen.split(" ")[0] ?? "").replace(/\d/g, (count) => ".".repeat(Number(count))).replaceAll("/", "");
  SQUARES.forEach((square, index) => {
    const letter = row[index];
    if (letter !== undefined && letter !== ".") pieces.set(square, letter);
  });
  return pieces;
}

/** Return the visible pieces of a board in fog. */
export function visiblePieces(board: string): Pieces {
  return new Map(SQUARES.flatMap((square, index) => (/[a-z]/i.test(board[index] ?? "") ? [[square, board[index]!]] : [])));
}

/** Return the fogged squares of a board. */
export function foggedSquares(board: string): readonly string[] {
  return SQUARES.filter((_, index) => board[index] === "?");
}

/** Return the piece placement field of a FEN. */
export function placement(pieces: Pieces): string {
  const letters = SQUARES.map((square) => pieces.get(square) ?? ".").join("");
  const rows = Array.from({ length: 8 }, (_, row) => letters.slice(8 * row, 8 * row + 8));
  return rows.join("/").replace(/\.+/g, (empty) => String(empty.length));
}

/** Return the two squares of a move. */
export function moveSquares(uci: string): readonly [string, string] {
  return [uci.slice(0, 2), uci.slice(2, 4)];
}

/** Return the pieces after a legal move, with castling, en passant and promotion. */
export function movePiece(pieces: Pieces, uci: string): Pieces {
  const [from, to] = moveSquares(uci);
  const letter = pieces.get(from);
  if (letter === undefined) return pieces;
  const after = new Map(pieces);
  const kind = kindOf(letter);
  const step = to.charCodeAt(0) - from.charCodeAt(0);
  after.delete(from);
  if (kind === "P" && step !== 0 && !pieces.has(to)) after.delete(`${to[0]}${from[1]}`);
  if (kind === "K" && Math.abs(step) === 2) {
    const rook = `${step > 0 ? "h" : "a"}${from[1]}`;
    const moved = pieces.get(rook);
    after.delete(rook);
    if (moved) after.set(`${step > 0 ? "f" : "d"}${from[1]}`, moved);
  }
  const promoted = uci[4];
  after.set(to, promoted === undefined ? letter : letter === letter.toUpperCase() ? promoted.toUpperCase() : promoted);
  return after;
}

/** Tell whether a move is a promotion. */
export function promotes(pieces: Pieces, uci: string): boolean {
  const [from, to] = moveSquares(uci);
  const letter = pieces.get(from);
  return letter !== undefined && kindOf(letter) === "P" && to[1] === (letter === "P" ? "8" : "1");
}
