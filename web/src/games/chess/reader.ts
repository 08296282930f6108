/** Games of chess read again from the PGN text that we have written. */

import type { Chess } from "chessops/chess";
import { parseSan } from "chessops/san";
import { makeUci } from "chessops/util";
import type { ChessBlast, ChessThrown } from "../../wire";
import { positionOf } from "./legal";
import { NULL, UNKNOWN } from "./pgn";
import { START } from "./squares";

export interface ReadGame {
  tags: Readonly<Record<string, string>>;
  moves: readonly string[];
  sides: string;
  /** White has seat 0. */
  thrown: readonly ChessThrown[];
  blasts: readonly ChessBlast[];
  mines: readonly string[];
}

interface Pages extends ReadGame {
  board: Chess;
  turn: "w" | "b";
  moves: string[];
  thrown: ChessThrown[];
  blasts: ChessBlast[];
}

/** Return the game of a text, or null if it is none that we can read. */
export function readPgn(text: string): ReadGame | null {
  const tags = Object.fromEntries(
    [...text.matchAll(/^\[(\w+) "((?:[^"\\]|\\.)*)"\]$/gm)].map(([, name, value]) => [name!, value!.replace(/\\(.)/g, "$1")]),
  );
  const body = text.slice(text.search(/\n\s*\n/) + 1);
  const pages: Pages = { tags, board: positionOf(START)!, turn: "w", moves: [], sides: "", thrown: [], blasts: [], mines: [] };
  for (const [token, comment] of body.matchAll(/\{([^}]*)\}|[^\s{}]+/g)) {
    if (comment !== undefined) {
      for (const [, name, words] of comment.matchAll(/\[%(\w+)\s+([^\]]*)\]/g)) note(pages, name!, words!.split(/\s+/));
    } else if (!/^(\d+\.+|1-0|0-1|1\/2-1\/2|\*)$/.test(token) && !step(pages, token)) return null;
  }
  const { board: _, turn: __, ...game } = pages;
  return game;
}

function step(pages: Pages, san: string): boolean {
  const { board } = pages;
  if (san === NULL) {
    board.turn = board.turn === "white" ? "black" : "white";
    board.epSquare = undefined;
    return add(pages, NULL);
  }
  const move = parseSan(board, san);
  if (!move || !("from" in move)) return false;
  const uci = plainly(board, makeUci(move));
  board.play(move);
  return add(pages, uci);
}

/** The library writes castling as the king taking its own rook. */
function plainly(board: Chess, uci: string): string {
  const castles = { e1h1: "e1g1", e1a1: "e1c1", e8h8: "e8g8", e8a8: "e8c8" }[uci];
  return castles && board.board.king.has(uci[1] === "1" ? 4 : 60) ? castles : uci;
}

function add(pages: Pages, uci: string): true {
  if (uci !== NULL) {
    pages.moves.push(uci === UNKNOWN ? "" : uci);
    pages.sides += pages.turn;
  }
  pages.turn = pages.turn === "w" ? "b" : "w";
  return true;
}

function note(pages: Pages, name: string, words: readonly string[]): void {
  const [first = "", second = "", third = "", fourth = ""] = words;
  const ply = pages.moves.length;
  if (name === "moves") for (const word of words) add(pages, word);
  const seat = second === "w" ? 0 : 1;
  if (name === "dice") pages.thrown.push({ ply, seat, dice: first, used: third, again: fourth === "again" });
  if (name === "boom") pages.blasts.push({ ply, square: first, piece: second });
  if (name === "mines") pages.mines = words;
}
