/** Deterministic random values for tests. */

import { randomSequence } from "../src/games/gomoku/board/paintWood";

export const CASES = 300;

export class TestRandom {
  private readonly next: () => number;

  constructor(seed: number) {
    this.next = randomSequence(seed);
  }

  /** A number from `low` up to but not including `high`. */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** One of these. */
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** A text of these characters. */
  text(signs: readonly string[], longest: number): string {
    return Array.from({ length: this.below(longest + 1) }, () => this.one(signs)).join("");
  }

  /** Different whole numbers below `limit`. */
  distinct(count: number, limit: number): number[] {
    const all = Array.from({ length: limit }, (_, number) => number);
    return Array.from({ length: count }, () => all.splice(this.below(all.length), 1)[0]!);
  }
}
