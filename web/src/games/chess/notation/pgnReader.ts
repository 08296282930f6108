/** Reads PGN, with dice, mines and explosions in comments. */

import type { Chess } from "chessops/chess";
import { parseSan } from "chessops/san";
import { makeUci } from "chessops/util";
import type { ChessExplosion, ChessDiceRoll } from "../../../net/protocol";
import type { Problem } from "../../gameInterface";
import { positionOf } from "../board/legalMoves";
import { NULL_MOVE, UNKNOWN_MOVE } from "./pgnWriter";
import { START } from "../squares";

/** Tags and tokens of a game, without variations. */
export interface PgnGame {
  tags: Readonly<Record<string, string>>;
  tokens: readonly { text: string; comment: boolean }[];
}

export interface ReadGame {
  moves: readonly string[];
  sides: string;
  /** White has seat 0. */
  rolls: readonly ChessDiceRoll[];
  explosions: readonly ChessExplosion[];
  mines: readonly string[];
}

interface ReadState extends ReadGame {
  board: Chess;
  turn: "w" | "b";
  moves: string[];
  rolls: ChessDiceRoll[];
  explosions: ChessExplosion[];
}

const TOKEN = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)(?:\}|$)|;[^\n]*|[()]|[^\s(){};]+/g;
const RESULTS = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "*"];
const NULLS = [NULL_MOVE, "Z0", "0000", "null", "@@@@"];
/** Move numbers, annotation glyphs, and the `e.p.` suffix. */
const NO_MOVE = /^(\d+|\$\d+|e\.?p\.?|[^\w@]+)?$/;
const SQUARE = /^[a-h][1-8]$/;
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

/** Return the games of a text. */
export function splitGames(text: string): readonly PgnGame[] {
  const found: { tags: Record<string, string>; tokens: { text: string; comment: boolean }[] }[] = [];
  let [depth, open] = [0, false];
  const leaf = (fresh: boolean) => {
    if (fresh) found.push({ tags: {}, tokens: [] });
    return found.at(-1)!;
  };
  for (const [word, name, value, comment] of text.replace(/^%.*$/gm, "").matchAll(TOKEN)) {
    if (name !== undefined) {
      leaf(!open || found.at(-1)!.tokens.length > 0).tags[name] = value!.replace(/\\(.)/g, "$1");
      [depth, open] = [0, true];
    } else if (word === "(") depth += 1;
    else if (word === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0 || word.startsWith(";") || (comment !== undefined && !open && found.length > 0)) continue;
    else if (comment !== undefined) {
      leaf(!open).tokens.push({ text: comment, comment: true });
      open = true;
    } else {
      const over = RESULTS.includes(word);
      if (!over || open) leaf(!open).tokens.push({ text: word, comment: false });
      open = !over;
    }
  }
  return found;
}

/** Return the game, or why it cannot be read. */
export function readGame({ tags, tokens }: PgnGame): ReadGame | Problem {
  if (tags["FEN"] && tags["FEN"].split(" ")[0] !== START.split(" ")[0]) return { message: ({ replay }) => replay.errors.start };
  const pages: ReadState = { board: positionOf(START)!, turn: "w", moves: [], sides: "", rolls: [], explosions: [], mines: [] };
  for (const { text, comment } of tokens) {
    if (comment) {
      for (const [, name, note] of text.matchAll(/\[%(\w+)\s+([^\]]*)\]/g)) applyComment(pages, name!, note!.trim().split(/\s+/));
      continue;
    }
    const san = text.replace(/^\d*\.+/, "").replace(/[!?]+$/, "");
    if (RESULTS.includes(text) || (NO_MOVE.test(san) && !NULLS.includes(san))) continue;
    const number = pages.board.fullmoves;
    if (!applySan(pages, san)) return { message: ({ replay }) => replay.errors.move(number, san.slice(0, 12)) };
  }
  const { board: _, turn: __, ...game } = pages;
  return game;
}

function applySan(pages: ReadState, san: string): boolean {
  const { board } = pages;
  if (NULLS.includes(san)) {
    if (board.turn === "black") board.fullmoves += 1;
    board.turn = board.turn === "white" ? "black" : "white";
    board.epSquare = undefined;
    return addMove(pages, NULL_MOVE);
  }
  const castling = /^[O0o](-[O0o]){1,2}(?=[+#]?$)/.exec(san);
  const move = parseSan(board, castling ? san.replaceAll(/[0o]/g, "O") : san.replace(/\+\+$/, "#"));
  if (!move || !("from" in move)) return false;
  const uci = standardCastling(board, makeUci(move));
  board.play(move);
  return addMove(pages, uci);
}

/** chessops writes castling as the king capturing its own rook. */
function standardCastling(board: Chess, uci: string): string {
  const castles = { e1h1: "e1g1", e1a1: "e1c1", e8h8: "e8g8", e8a8: "e8c8" }[uci];
  return castles && board.board.king.has(uci[1] === "1" ? 4 : 60) ? castles : uci;
}

function addMove(pages: ReadState, uci: string): true {
  if (uci !== NULL_MOVE) {
    pages.moves.push(uci === UNKNOWN_MOVE ? "" : uci);
    pages.sides += pages.turn;
  }
  pages.turn = pages.turn === "w" ? "b" : "w";
  return true;
}

/** Apply a command in a comment; unknown commands are ignored. */
function applyComment(pages: ReadState, name: string, words: readonly string[]): void {
  const [first = "", second = "", third = "", fourth = ""] = words;
  const ply = pages.moves.length;
  if (name === "moves") for (const word of words) if ([NULL_MOVE, UNKNOWN_MOVE].includes(word) || UCI.test(word)) addMove(pages, word);
  if (name === "dice" && /^[PNBRQK]{1,3}$/.test(first) && /^[x.-]*$/.test(third)) {
    pages.rolls.push({ ply, seat: second === "w" ? 0 : 1, dice: first, used: third, again: fourth === "again" });
  }
  if (name === "boom" && SQUARE.test(first)) pages.explosions.push({ ply, square: first, piece: second });
  if (name === "mines") pages.mines = words.filter((word) => SQUARE.test(word));
}
