/** Fog, numbers, craters and mines on squares. */

import { shownMove, type ChessScene } from "../moveNavigation";
import { showFogAsSeen } from "./orientation";
import { fullPosition, fullMinefield, type FullMinefield } from "../position";
import { SQUARES } from "../squares";

/** Return the marks by square for the shown position. */
export function squareMarks(scene: ChessScene, fog: readonly string[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>(fog.map((square) => [square, "fog"]));
  const add = (square: string, name: string) => marks.set(square, `${marks.get(square) ?? ""} ${name}`.trim());
  if (!scene.position?.minefield) return marks;
  const { step } = shownMove(scene);
  const { moves, boards } = fullPosition(scene.position);
  const field = fullMinefield(scene.position.minefield);
  const blown = field.explosions.filter(({ ply }) => ply <= step).map(({ square }) => square);
  for (const [square, mines] of mineCounts(field, moves.slice(0, step), blown)) {
    if (!fog.includes(square)) add(square, `number number-${mines}`);
  }
  for (const square of blown) add(square, "crater");
  if (!showFogAsSeen.value || boards.length === 0) for (const square of field.all) if (!blown.includes(square)) add(square, "mine");
  return marks;
}

/** A square and the number of mines around it. */
type MineCounts = readonly [square: string, mines: number];

/** During the game the server sends the counts; afterwards they are computed for each position. */
function mineCounts(field: FullMinefield, moves: readonly string[], blown: readonly string[]): readonly MineCounts[] {
  if (field.all.length === 0) return field.numbers.map(({ square, mines }) => [square, mines]);
  const live = field.all.filter((square) => !blown.includes(square));
  const landed = new Set(moves.map((uci) => uci.slice(2, 4)).filter(Boolean));
  return [...landed].map((square) => [square, live.filter((mine) => areAdjacent(mine, square)).length]);
}

/** Tell whether two squares are adjacent, also diagonally. */
function areAdjacent(one: string, other: string): boolean {
  const [first, second] = [SQUARES.indexOf(one), SQUARES.indexOf(other)];
  const apart = (a: number, b: number) => Math.abs(a - b);
  const far = Math.max(apart(first % 8, second % 8), apart(Math.floor(first / 8), Math.floor(second / 8)));
  return far === 1;
}
