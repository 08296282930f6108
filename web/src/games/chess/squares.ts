/** Squares and the pieces on them, without any rule: what a FEN's first part says. */

export type Colour = "white" | "black";
export type Kind = "P" | "N" | "B" | "R" | "Q" | "K";

/** A piece's letter by its square: large for white, small for black. */
export type Pieces = ReadonlyMap<string, string>;

export const KINDS: readonly Kind[] = ["P", "N", "B", "R", "Q", "K"];
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const FILES = "abcdefgh";

/** All squares as a page is read: from a8 to h1. */
export const SQUARES: readonly string[] = Array.from(
  { length: 64 },
  (_, index) => `${FILES[index % 8]}${8 - Math.floor(index / 8)}`,
);

/** Return the colour that a piece's letter stands for. */
export function colourOfPiece(letter: string): Colour {
  return letter === letter.toUpperCase() ? "white" : "black";
}

/** Return what kind of piece a letter stands for. */
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

/** Return the pieces of a board seen through fog; what is not seen is not there. */
export function seenPieces(board: string): Pieces {
  return new Map(SQUARES.flatMap((square, index) => (/[a-z]/i.test(board[index] ?? "") ? [[square, board[index]!]] : [])));
}

/** Return the squares of a board that lie in fog. */
export function foggy(board: string): readonly string[] {
  return SQUARES.filter((_, index) => board[index] === "?");
}

/** Return the first part of a FEN. */
export function placement(pieces: Pieces): string {
  const letters = SQUARES.map((square) => pieces.get(square) ?? ".").join("");
  const rows = Array.from({ length: 8 }, (_, row) => letters.slice(8 * row, 8 * row + 8));
  return rows.join("/").replace(/\.+/g, (empty) => String(empty.length));
}

/** Return the two squares of a move. */
export function ends(uci: string): readonly [string, string] {
  return [uci.slice(0, 2), uci.slice(2, 4)];
}

/** Return the pieces after a move that somebody has found legal: castling, en passant and promotion included. */
export function carry(pieces: Pieces, uci: string): Pieces {
  const [from, to] = ends(uci);
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

/** Tell whether a pawn arrives at its last rank. */
export function promotes(pieces: Pieces, uci: string): boolean {
  const [from, to] = ends(uci);
  const letter = pieces.get(from);
  return letter !== undefined && kindOf(letter) === "P" && to[1] === (letter === "P" ? "8" : "1");
}

/** Return the square a key leads to on a board that is looked at from this side; it stays on the board. */
export function neighbour(square: string, key: string, from: Colour): string {
  const turned = from === "white" ? 1 : -1;
  const [file, rank] = [FILES.indexOf(square[0]!), Number(square[1])];
  const at = (x: number, y: number) => `${FILES[Math.min(7, Math.max(0, x))]}${Math.min(8, Math.max(1, y))}`;
  switch (key) {
    case "ArrowUp":
      return at(file, rank + turned);
    case "ArrowDown":
      return at(file, rank - turned);
    case "ArrowLeft":
      return at(file - turned, rank);
    case "ArrowRight":
      return at(file + turned, rank);
    case "Home":
      return at(turned > 0 ? 0 : 7, rank);
    case "End":
      return at(turned > 0 ? 7 : 0, rank);
    case "PageUp":
      return at(file, turned > 0 ? 8 : 1);
    case "PageDown":
      return at(file, turned > 0 ? 1 : 8);
    default:
      return square;
  }
}
