/** All rolls of a game in order, counted. */

import type { ChessDiceRoll, Seat } from "../../../net/protocol";
import { sidesOf, type FullPosition } from "../position";
import { KINDS, type Kind } from "../squares";

/** A roll, and the indices of the moves until the next one. */
export interface Round {
  roll: ChessDiceRoll | null;
  moves: readonly number[];
}

/** Return the moves grouped by rolls; moves before the first roll are one group. */
export function roundsOfDice({ moves, rolls }: Pick<FullPosition, "moves" | "rolls">): readonly Round[] {
  const begins = rolls.map(({ ply }) => ply);
  const between = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const first = between(0, begins[0] ?? moves.length);
  const rounds = rolls.map((one, index) => ({ roll: one, moves: between(one.ply, begins[index + 1] ?? moves.length) }));
  return first.length > 0 ? [{ roll: null, moves: first }, ...rounds] : rounds;
}

/** Number of rolls of a kind by seat. */
export interface DiceTally {
  kind: Kind;
  counts: readonly [number, number];
  /** Share of all dice, from 0 to 1. */
  share: number;
}

/** Return the count of each kind; kings only if they were rolled. */
export function diceTally(rolls: readonly ChessDiceRoll[]): readonly DiceTally[] {
  const of = (kind: Kind, seat: Seat) =>
    rolls.filter((one) => one.seat === seat).reduce((sum, { dice }) => sum + dice.split(kind).length - 1, 0);
  const all = rolls.reduce((sum, { dice }) => sum + dice.length, 0);
  return KINDS.map((kind) => {
    const counts = [of(kind, 0), of(kind, 1)] as const;
    return { kind, counts, share: all === 0 ? 0 : (counts[0] + counts[1]) / all };
  }).filter(({ kind, share }) => kind !== "K" || share > 0);
}

/** Return how many dice a seat has rolled, and how many were skipped. */
export function skippedDice(rolls: readonly ChessDiceRoll[], seat: Seat): { dice: number; skipped: number } {
  const seatRolls = rolls.filter((one) => one.seat === seat);
  const count = (text: (one: ChessDiceRoll) => string) => seatRolls.reduce((sum, one) => sum + text(one).length, 0);
  return { dice: count(({ dice }) => dice), skipped: count(({ used }) => used.replace(/[^-]/g, "")) };
}

/** Return the move number of each move; it grows when white is to move again. */
export function moveNumbers(game: Pick<FullPosition, "moves" | "sides">): readonly number[] {
  let number = 0;
  let before = "b";
  return [...sidesOf(game)].map((side) => {
    if (side === "w" && before === "b") number += 1;
    before = side;
    return Math.max(1, number);
  });
}
