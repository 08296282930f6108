/**
 * Writes PGN as the server does.
 *
 * If a side moves several times in a row, null moves of the other side are inserted. Dice, explosions and mines are in
 * comments: `{[%dice PNQ w x-x]}`, `{[%boom e4 N]}`, `{[%mines c3 f5]}`. After moves that standard chess does not allow
 * (an explosion, or a table that does not check moves), the rest is in `{[%moves e7e5 -- a7a6]}`.
 */

import type { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import { parseUci } from "chessops/util";
import type { ChessOptions, OutcomeView } from "../../../net/protocol";
import { positionOf } from "../board/legalMoves";
import { colourOf, fullMinefield, sidesOf, type FullPosition } from "../position";
import { START } from "../squares";

const WIDTH = 80;
export const NULL_MOVE = "--";
export const UNKNOWN_MOVE = "?";
/** Reasons of games without a result. */
const NO_RESULT = ["aborted", "abandoned"];
const TERMINATION: Record<string, string> = {
  time: "time forfeit",
  time_material: "time forfeit",
  left: "abandoned",
  aborted: "abandoned",
  abandoned: "abandoned",
};

export interface PgnSource {
  game: FullPosition;
  options: ChessOptions;
  names: { white: string; black: string };
  result: OutcomeView | null;
  round: number;
  /** Date of the game. */
  day: Date;
  site: string;
}

/** Return a finished game as PGN. */
export function writePgn(sheet: PgnSource): string {
  const { game, names, result, round, day, site } = sheet;
  const ended = resultOf(game, result);
  const tags = [
    ["Event", UNKNOWN_MOVE],
    ["Site", site],
    ["Date", day.toISOString().slice(0, 10).replaceAll("-", ".")],
    ["Round", String(round)],
    ["White", names.white],
    ["Black", names.black],
    ["Result", ended],
    ["Termination", result === null ? "unterminated" : (TERMINATION[result.reason] ?? "normal")],
    ["Reason", result?.reason ?? ""],
    ["Qipai", optionsTag(sheet.options)],
  ] as const;
  const head = tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${escaped(value)}"]`);
  return [...head, "", ...wrapped([...movetext(game, sheet.options.unchecked_moves ?? false), ended]), ""].join("\n");
}

/** Return the options that differ from standard chess. */
export function optionsTag(options: ChessOptions): string {
  return [
    options.dice && `dice=${options.dice}`,
    options.mines && `mines=${options.mines}`,
    options.rerolls && `rerolls=${options.rerolls}`,
    options.fog && "fog",
    options.legacy_rules && "legacy_rules",
    options.unchecked_moves && "unchecked_moves",
  ]
    .filter(Boolean)
    .join(" ");
}

function resultOf(game: FullPosition, result: OutcomeView | null): string {
  if (result === null || (result.winners.length === 0 && NO_RESULT.includes(result.reason))) return "*";
  const [winner] = result.winners;
  if (winner === undefined || result.winners.length > 1) return "1/2-1/2";
  return colourOf(game, winner) === "white" ? "1-0" : "0-1";
}

function* movetext(game: FullPosition, unchecked: boolean): Generator<string> {
  let board = positionOf(START);
  let [turn, numbered] = ["w", false];
  let rest: string[] = [];
  const sides = sidesOf(game);
  const blown = new Set(game.minefield ? fullMinefield(game.minefield).explosions.map(({ ply }) => ply) : []);
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
    if (board && (blown.has(ply) || !isStandardMove(board, uci, pause, unchecked))) board = null;
    if (board === null) {
      rest.push(...(pause ? [NULL_MOVE] : []), uci || UNKNOWN_MOVE);
      continue;
    }
    for (const move of pause ? [NULL_MOVE, uci] : [uci]) {
      if (board.turn === "white" || !numbered) yield `${board.fullmoves}${board.turn === "white" ? "." : "..."}`;
      yield move === NULL_MOVE ? playNullMove(board) : makeSanAndPlay(board, parseUci(move)!);
      numbered = true;
    }
  }
  const mines = game.minefield ? fullMinefield(game.minefield).all : [];
  if (mines.length > 0) yield* comment("mines", mines);
}

/** Yield the explosions and rolls after this many moves. */
function* notesAt(game: FullPosition, ply: number): Generator<readonly string[]> {
  for (const explosion of game.minefield ? fullMinefield(game.minefield).explosions : []) {
    if (explosion.ply === ply) yield ["boom", explosion.square, ...(explosion.piece ? [explosion.piece] : [])];
  }
  for (const { ply: at, dice, seat, used, again } of game.rolls) {
    if (at === ply) yield ["dice", dice, colourOf(game, seat) === "white" ? "w" : "b", used, ...(again ? ["again"] : [])];
  }
}

/** Tell whether a move is legal in standard chess. */
function isStandardMove(board: Chess, uci: string, pause: boolean, unchecked: boolean): boolean {
  const move = parseUci(uci);
  if (!move || (pause && board.isCheck())) return false;
  const before = board.clone();
  if (pause) playNullMove(before);
  if (!before.isLegal(move)) return false;
  if (!unchecked || !("from" in move)) return true;
  // Tables that do not check moves move exactly one piece.
  const role = before.board.getRole(move.from);
  const castling = role === "king" && Math.abs(move.to - move.from) === 2;
  return !castling && !(role === "pawn" && move.to === before.epSquare);
}

/** Play a null move. */
function playNullMove(board: Chess): string {
  board.epSquare = undefined;
  board.halfmoves += 1;
  if (board.turn === "black") board.fullmoves += 1;
  board.turn = board.turn === "white" ? "black" : "white";
  return NULL_MOVE;
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

/** Return a tag value on one line, with special characters escaped. */
function escaped(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, " ").replace(/[\\"]/g, "\\$&");
}
