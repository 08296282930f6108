/** Games of chess read from PGN text: everybody's, and ours with dice, mines and explosions in comments. */

import type { Chess } from "chessops/chess";
import { parseSan } from "chessops/san";
import { makeUci } from "chessops/util";
import type { ChessBlast, ChessThrown } from "../../wire";
import type { Problem } from "../game";
import { positionOf } from "./legal";
import { NULL, UNKNOWN } from "./pgn";
import { START } from "./squares";

/** A game's text taken apart, variations left out. */
export interface Leaf {
  tags: Readonly<Record<string, string>>;
  words: readonly { text: string; comment: boolean }[];
}

export interface ReadGame {
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

const WORD = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)(?:\}|$)|;[^\n]*|[()]|[^\s(){};]+/g;
const ENDS = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*"];
const NULLS = [NULL, "Z0", "0000", "null", "@@@@"];
/** Numbers of moves, numbers and signs for remarks, and what some write after a pawn has taken in passing. */
const NO_MOVE = /^(\d+|\$\d+|e\.?p\.?|[^\w@]+)?$/;
const SQUARE = /^[a-h][1-8]$/;
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

/** Return the games of a text. */
export function leaves(text: string): readonly Leaf[] {
  const found: { tags: Record<string, string>; words: { text: string; comment: boolean }[] }[] = [];
  let [depth, open] = [0, false];
  const leaf = (fresh: boolean) => {
    if (fresh) found.push({ tags: {}, words: [] });
    return found.at(-1)!;
  };
  for (const [word, name, value, comment] of text.replace(/^%.*$/gm, "").matchAll(WORD)) {
    if (name !== undefined) {
      leaf(!open || found.at(-1)!.words.length > 0).tags[name] = value!.replace(/\\(.)/g, "$1");
      [depth, open] = [0, true];
    } else if (word === "(") depth += 1;
    else if (word === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0 || word.startsWith(";") || (comment !== undefined && !open && found.length > 0)) continue;
    else if (comment !== undefined) {
      leaf(!open).words.push({ text: comment, comment: true });
      open = true;
    } else {
      const over = ENDS.includes(word);
      if (!over || open) leaf(!open).words.push({ text: word, comment: false });
      open = !over;
    }
  }
  return found;
}

/** Return the game of a text, or what is wrong with it. */
export function readGame({ tags, words }: Leaf): ReadGame | Problem {
  if (tags["FEN"] && tags["FEN"].split(" ")[0] !== START.split(" ")[0]) return { says: ({ replay }) => replay.wrong.start };
  const pages: Pages = { board: positionOf(START)!, turn: "w", moves: [], sides: "", thrown: [], blasts: [], mines: [] };
  for (const { text, comment } of words) {
    if (comment) {
      for (const [, name, note] of text.matchAll(/\[%(\w+)\s+([^\]]*)\]/g)) remark(pages, name!, note!.trim().split(/\s+/));
      continue;
    }
    const san = text.replace(/^\d*\.+/, "").replace(/[!?]+$/, "");
    if (ENDS.includes(text) || (NO_MOVE.test(san) && !NULLS.includes(san))) continue;
    const number = pages.board.fullmoves;
    if (!step(pages, san)) return { says: ({ replay }) => replay.wrong.move(number, san.slice(0, 12)) };
  }
  const { board: _, turn: __, ...game } = pages;
  return game;
}

function step(pages: Pages, san: string): boolean {
  const { board } = pages;
  if (NULLS.includes(san)) {
    if (board.turn === "black") board.fullmoves += 1;
    board.turn = board.turn === "white" ? "black" : "white";
    board.epSquare = undefined;
    return add(pages, NULL);
  }
  const castling = /^[O0o](-[O0o]){1,2}(?=[+#]?$)/.exec(san);
  const move = parseSan(board, castling ? san.replaceAll(/[0o]/g, "O") : san.replace(/\+\+$/, "#"));
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

/** Others write other things in the same way; what makes no sense here is left out. */
function remark(pages: Pages, name: string, words: readonly string[]): void {
  const [first = "", second = "", third = "", fourth = ""] = words;
  const ply = pages.moves.length;
  if (name === "moves") for (const word of words) if ([NULL, UNKNOWN].includes(word) || UCI.test(word)) add(pages, word);
  if (name === "dice" && /^[PNBRQK]{1,3}$/.test(first) && /^[x.-]*$/.test(third)) {
    pages.thrown.push({ ply, seat: second === "w" ? 0 : 1, dice: first, used: third, again: fourth === "again" });
  }
  if (name === "boom" && SQUARE.test(first)) pages.blasts.push({ ply, square: first, piece: second });
  if (name === "mines") pages.mines = words.filter((word) => SQUARE.test(word));
}
