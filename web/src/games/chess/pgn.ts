/**
 * Games of chess as PGN text, written as the server writes it.
 *
 * Whoever moves several times in a row is answered by null moves; dice, explosions and mines stand in
 * comments, `{[%dice PNQ w x-x]}`, `{[%boom e4 N]}`, `{[%mines c3 f5]}`. Where ordinary chess cannot follow,
 * because a piece blew up or nobody checked the moves, the rest is in `{[%moves e7e5 -- a7a6]}`.
 */

import type { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import { parseUci } from "chessops/util";
import type { ChessOptions, Outcome } from "../../wire";
import { positionOf } from "./legal";
import { colourOf, fullMinefield, sidesOf, type Full } from "./position";
import { START } from "./squares";

const WIDTH = 80;
export const NULL = "--";
export const UNKNOWN = "?";
/** Reasons of games that nobody won or drew. */
const NO_RESULT = ["aborted", "abandoned"];
const TERMINATION: Record<string, string> = {
  time: "time forfeit",
  time_material: "time forfeit",
  left: "abandoned",
  aborted: "abandoned",
  abandoned: "abandoned",
};

export interface Sheet {
  game: Full;
  options: ChessOptions;
  names: { white: string; black: string };
  result: Outcome | null;
  round: number;
  /** Any moment of the day it was played. */
  day: Date;
  site: string;
}

/** Return the text of a game that is over. */
export function pgn(sheet: Sheet): string {
  const { game, names, result, round, day, site } = sheet;
  const ended = resultOf(game, result);
  const tags = [
    ["Event", UNKNOWN],
    ["Site", site],
    ["Date", day.toISOString().slice(0, 10).replaceAll("-", ".")],
    ["Round", String(round)],
    ["White", names.white],
    ["Black", names.black],
    ["Result", ended],
    ["Termination", result === null ? "unterminated" : (TERMINATION[result.reason] ?? "normal")],
    ["Reason", result?.reason ?? ""],
    ["Qipai", twists(sheet.options)],
  ] as const;
  const head = tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${escaped(value)}"]`);
  return [...head, "", ...wrapped([...movetext(game, sheet.options.trusting ?? false), ended]), ""].join("\n");
}

/** Return what makes a game different from plain chess; nothing if nothing does. */
export function twists(options: ChessOptions): string {
  return [
    options.dice && `dice=${options.dice}`,
    options.mines && `mines=${options.mines}`,
    options.rerolls && `rerolls=${options.rerolls}`,
    options.fog && "fog",
    options.older && "older",
    options.trusting && "trusting",
  ]
    .filter(Boolean)
    .join(" ");
}

function resultOf(game: Full, result: Outcome | null): string {
  if (result === null || (result.winners.length === 0 && NO_RESULT.includes(result.reason))) return "*";
  const [winner] = result.winners;
  if (winner === undefined || result.winners.length > 1) return "1/2-1/2";
  return colourOf(game, winner) === "white" ? "1-0" : "0-1";
}

function* movetext(game: Full, trusting: boolean): Generator<string> {
  let board = positionOf(START);
  let [turn, numbered] = ["w", false];
  let rest: string[] = [];
  const sides = sidesOf(game);
  const blown = new Set(game.minefield ? fullMinefield(game.minefield).blasts.map(({ ply }) => ply) : []);
  for (let ply = 0; ply <= game.moves.length; ply++) {
    const notes = [...notesAt(game, ply)];
    if (rest.length > 0 && (notes.length > 0 || ply === game.moves.length)) {
      yield* comment("moves", rest);
      rest = [];
    }
    for (const [name, ...words] of notes) {
      yield* comment(name!, words);
      numbered = false;
    }
    const uci = game.moves[ply];
    if (uci === undefined) break;
    const pause = sides[ply] !== turn;
    turn = sides[ply] === "w" ? "b" : "w";
    if (board && (blown.has(ply) || !follows(board, uci, pause, trusting))) board = null;
    if (board === null) {
      rest.push(...(pause ? [NULL] : []), uci || UNKNOWN);
      continue;
    }
    for (const move of pause ? [NULL, uci] : [uci]) {
      if (board.turn === "white" || !numbered) yield `${board.fullmoves}${board.turn === "white" ? "." : "..."}`;
      yield move === NULL ? rested(board) : makeSanAndPlay(board, parseUci(move)!);
      numbered = true;
    }
  }
  const mines = game.minefield ? fullMinefield(game.minefield).all : [];
  if (mines.length > 0) yield* comment("mines", mines);
}

/** Yield what is to be noted after so many moves: what blew up with the last of them, and throws. */
function* notesAt(game: Full, ply: number): Generator<readonly string[]> {
  for (const blast of game.minefield ? fullMinefield(game.minefield).blasts : []) {
    if (blast.ply === ply) yield ["boom", blast.square, ...(blast.piece ? [blast.piece] : [])];
  }
  for (const { ply: at, dice, seat, used, again } of game.thrown) {
    if (at === ply) yield ["dice", dice, colourOf(game, seat) === "white" ? "w" : "b", used, ...(again ? ["again"] : [])];
  }
}

/** Tell whether a move is possible by the rules that everybody knows. */
function follows(board: Chess, uci: string, pause: boolean, trusting: boolean): boolean {
  const move = parseUci(uci);
  if (!move || (pause && board.isCheck())) return false;
  const before = board.clone();
  if (pause) rested(before);
  if (!before.isLegal(move)) return false;
  if (!trusting || !("from" in move)) return true;
  // Where nobody checks, one piece is moved and nothing else.
  const role = before.board.getRole(move.from);
  const castling = role === "king" && Math.abs(move.to - move.from) === 2;
  return !castling && !(role === "pawn" && move.to === before.epSquare);
}

/** Let the side to move do nothing. */
function rested(board: Chess): string {
  board.epSquare = undefined;
  board.halfmoves += 1;
  if (board.turn === "black") board.fullmoves += 1;
  board.turn = board.turn === "white" ? "black" : "white";
  return NULL;
}

function* comment(name: string, words: readonly string[]): Generator<string> {
  yield `{[%${name}`;
  yield* words.slice(0, -1);
  yield `${words.at(-1)}]}`;
}

function wrapped(words: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** One line, and what would end it early is escaped. */
function escaped(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, " ").replace(/[\\"]/g, "\\$&");
}
