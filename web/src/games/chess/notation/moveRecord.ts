/** Each move in SAN and the board after it. */

import type { Chess } from "chessops/chess";
import { makeBoardFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import { parseSquare, parseUci } from "chessops/util";
import { positionOf } from "../board/legalMoves";
import { fullMinefield, sidesOf, type FullPosition } from "../position";
import { START } from "../squares";

/** A move and the position after it; the first entry is the start and has no move. */
export interface RecordedMove {
  uci: string;
  /** Empty if the viewer did not see the move. */
  san: string;
  side: "w" | "b";
  placement: string;
  check: boolean;
  /** The square that exploded. */
  explosion: string;
}

type PlayedMoves = Pick<FullPosition, "moves" | "sides" | "minefield">;

let cache: { key: string; frames: readonly RecordedMove[] } | null = null;

/** Return the moves of a game, up to the first one that is not known. */
export function moveRecord(game: PlayedMoves): readonly RecordedMove[] {
  const key = JSON.stringify([game.moves, game.sides, game.minefield?.explosions]);
  if (cache?.key !== key) cache = { key, frames: replay(game) };
  return cache.frames;
}

function replay(game: PlayedMoves): readonly RecordedMove[] {
  const position = positionOf(START)!;
  const sides = sidesOf(game);
  const explosions = new Map(game.minefield ? fullMinefield(game.minefield).explosions.map((explosion) => [explosion.ply, explosion.square]) : []);
  const start: RecordedMove = { uci: "", san: "", side: "b", placement: makeBoardFen(position.board), check: false, explosion: "" };
  const frames = [start];
  for (const [index, uci] of game.moves.entries()) {
    if (!uci) break;
    const side = sides[index] === "b" ? "b" : "w";
    frames.push(positionAfter(position, uci, side, frames.at(-1)!.side, explosions.get(index + 1) ?? ""));
  }
  return frames;
}

function positionAfter(position: Chess, uci: string, side: "w" | "b", before: "w" | "b", explosion: string): RecordedMove {
  position.turn = side === "w" ? "white" : "black";
  // After two moves in a row by one side, en passant is not possible.
  if (side === before) position.epSquare = undefined;
  const san = play(position, uci);
  const square = parseSquare(explosion);
  if (square !== undefined) position.board.take(square);
  const check = position.isCheck();
  const sign = !check ? "" : position.isCheckmate() ? "#" : "+";
  return { uci, san: san + sign, side, placement: makeBoardFen(position.board), check, explosion };
}

/** Return the SAN without a check sign, or coordinates for an illegal move of an older client. */
function play(position: Chess, uci: string): string {
  const move = parseUci(uci);
  if (!move) return uci;
  if (position.isLegal(move)) return makeSanAndPlay(position, move).replace(/[+#]$/, "");
  position.play(move);
  return `${uci.slice(0, 2)}-${uci.slice(2)}`;
}
