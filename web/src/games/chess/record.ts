/** The record of a game: each move as people write it, and the board after it. */

import type { Chess } from "chessops/chess";
import { makeBoardFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import { parseSquare, parseUci } from "chessops/util";
import { positionOf } from "./legal";
import { fullMinefield, sidesOf, type Full } from "./position";
import { START } from "./squares";

/** A move and what it led to; the first frame is the beginning and has no move. */
export interface Frame {
  uci: string;
  /** Empty if the reader did not see the move. */
  san: string;
  side: "w" | "b";
  placement: string;
  check: boolean;
  /** The square that exploded. */
  blast: string;
}

type Played = Pick<Full, "moves" | "sides" | "minefield">;

let kept: { key: string; frames: readonly Frame[] } | null = null;

/** Return the frames of a game, as far as its moves are known without a gap. */
export function recordOf(game: Played): readonly Frame[] {
  const key = JSON.stringify([game.moves, game.sides, game.minefield?.blasts]);
  if (kept?.key !== key) kept = { key, frames: replay(game) };
  return kept.frames;
}

function replay(game: Played): readonly Frame[] {
  const position = positionOf(START)!;
  const sides = sidesOf(game);
  const blasts = new Map(game.minefield ? fullMinefield(game.minefield).blasts.map((blast) => [blast.ply, blast.square]) : []);
  const start: Frame = { uci: "", san: "", side: "b", placement: makeBoardFen(position.board), check: false, blast: "" };
  const frames = [start];
  for (const [index, uci] of game.moves.entries()) {
    if (!uci) break;
    const side = sides[index] === "b" ? "b" : "w";
    frames.push(after(position, uci, side, frames.at(-1)!.side, blasts.get(index + 1) ?? ""));
  }
  return frames;
}

function after(position: Chess, uci: string, side: "w" | "b", before: "w" | "b", blast: string): Frame {
  position.turn = side === "w" ? "white" : "black";
  // Whoever moves twice gives the other side no chance to take in passing, and has none himself.
  if (side === before) position.epSquare = undefined;
  const san = play(position, uci);
  const square = parseSquare(blast);
  if (square !== undefined) position.board.take(square);
  const check = position.isCheck();
  const sign = !check ? "" : position.isCheckmate() ? "#" : "+";
  return { uci, san: san + sign, side, placement: makeBoardFen(position.board), check, blast };
}

/** Return the move's name without a sign for check; older clients may make moves that chess has no name for. */
function play(position: Chess, uci: string): string {
  const move = parseUci(uci);
  if (!move) return uci;
  if (position.isLegal(move)) return makeSanAndPlay(position, move).replace(/[+#]$/, "");
  position.play(move);
  return `${uci.slice(0, 2)}-${uci.slice(2)}`;
}
