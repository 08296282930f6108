/** Where discards lie: rows before each player, from the middle of the table outwards. */

import type { MahjongDropped } from "../../wire";

/** Discards in a row. */
export const COLUMNS = 7;
/** Rows that have a place of their own. */
export const ROWS = 3;

export interface Lying {
  tile: number;
  column: number;
  row: number;
}

/** Return where each discard lies; what was claimed lies with its claimant's sets. */
export function lying(discards: readonly MahjongDropped[]): readonly Lying[] {
  const left = discards.filter(({ by }) => by === undefined || by === null);
  return left.map(({ tile }, number) => {
    // What does not fit any more makes the last row longer.
    const row = Math.min(ROWS - 1, Math.floor(number / COLUMNS));
    return { tile, column: number - row * COLUMNS, row };
  });
}

/** Return how far tiles of the last row lie apart, in tiles: they are pushed together when there are many. */
export function spacing(discards: readonly Lying[]): number {
  const most = 1 + Math.max(COLUMNS - 1, ...discards.map(({ column }) => column));
  return most > COLUMNS + 2 ? (COLUMNS + 2) / most : 1;
}
