/** The signs on the squares: fog, numbers, craters, and the mines when all is known. */

import { pageOf, type ChessScene } from "./lookback";
import { asSeen } from "./outlook";
import { full, fullMinefield, type FullMinefield } from "./position";
import { SQUARES } from "./squares";

/** Return the names of the signs by square, for the page that is shown. */
export function marksOf(scene: ChessScene, fog: readonly string[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>(fog.map((square) => [square, "fog"]));
  const add = (square: string, name: string) => marks.set(square, `${marks.get(square) ?? ""} ${name}`.trim());
  if (!scene.position?.minefield) return marks;
  const { step } = pageOf(scene);
  const { moves, boards } = full(scene.position);
  const field = fullMinefield(scene.position.minefield);
  const blown = field.blasts.filter(({ ply }) => ply <= step).map(({ square }) => square);
  for (const [square, mines] of numbersAt(field, moves.slice(0, step), blown)) {
    if (!fog.includes(square)) add(square, `number number-${mines}`);
  }
  for (const square of blown) add(square, "crater");
  if (!asSeen.value || boards.length === 0) for (const square of field.all) if (!blown.includes(square)) add(square, "mine");
  return marks;
}

/** A square and how many mines lie around it. */
type Numbered = readonly [square: string, mines: number];

/** While the game goes on we know what we were told; afterwards each page can be counted anew. */
function numbersAt(field: FullMinefield, moves: readonly string[], blown: readonly string[]): readonly Numbered[] {
  if (field.all.length === 0) return field.numbers.map(({ square, mines }) => [square, mines]);
  const live = field.all.filter((square) => !blown.includes(square));
  const landed = new Set(moves.map((uci) => uci.slice(2, 4)).filter(Boolean));
  return [...landed].map((square) => [square, live.filter((mine) => touch(mine, square)).length]);
}

/** Tell whether two different squares have a side or a corner in common. */
function touch(one: string, other: string): boolean {
  const [first, second] = [SQUARES.indexOf(one), SQUARES.indexOf(other)];
  const apart = (a: number, b: number) => Math.abs(a - b);
  const far = Math.max(apart(first % 8, second % 8), apart(Math.floor(first / 8), Math.floor(second / 8)));
  return far === 1;
}
