/** The throws of a game: in order, and counted. */

import type { ChessThrown, Seat } from "../../wire";
import { sidesOf, type Full } from "./position";
import { KINDS, type Kind } from "./squares";

/** A throw and the moves made until the next one, by their places in the game. */
export interface Round {
  thrown: ChessThrown | null;
  moves: readonly number[];
}

/** Return the game as its throws divide it; moves before the first one have a round of their own. */
export function roundsOf({ moves, thrown }: Pick<Full, "moves" | "thrown">): readonly Round[] {
  const begins = thrown.map(({ ply }) => ply);
  const between = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  const first = between(0, begins[0] ?? moves.length);
  const rounds = thrown.map((one, index) => ({ thrown: one, moves: between(one.ply, begins[index + 1] ?? moves.length) }));
  return first.length > 0 ? [{ thrown: null, moves: first }, ...rounds] : rounds;
}

/** How often a kind was thrown by each seat. */
export interface Tally {
  kind: Kind;
  counts: readonly [number, number];
  /** Of all dice, from 0 to 1. */
  share: number;
}

/** Return how often each kind came up; kings only where they did. */
export function tally(thrown: readonly ChessThrown[]): readonly Tally[] {
  const of = (kind: Kind, seat: Seat) =>
    thrown.filter((one) => one.seat === seat).reduce((sum, { dice }) => sum + dice.split(kind).length - 1, 0);
  const all = thrown.reduce((sum, { dice }) => sum + dice.length, 0);
  return KINDS.map((kind) => {
    const counts = [of(kind, 0), of(kind, 1)] as const;
    return { kind, counts, share: all === 0 ? 0 : (counts[0] + counts[1]) / all };
  }).filter(({ kind, share }) => kind !== "K" || share > 0);
}

/** Return how many dice a seat has thrown, and how many of them were of no use. */
export function waste(thrown: readonly ChessThrown[], seat: Seat): { dice: number; skipped: number } {
  const own = thrown.filter((one) => one.seat === seat);
  const count = (text: (one: ChessThrown) => string) => own.reduce((sum, one) => sum + text(one).length, 0);
  return { dice: count(({ dice }) => dice), skipped: count(({ used }) => used.replace(/[^-]/g, "")) };
}

/** Return the number that people write before each move: it grows whenever white begins anew. */
export function numbersOf(game: Pick<Full, "moves" | "sides">): readonly number[] {
  let number = 0;
  let before = "b";
  return [...sidesOf(game)].map((side) => {
    if (side === "w" && before === "b") number += 1;
    before = side;
    return Math.max(1, number);
  });
}
