/** Positions of discards on the table. */

import type { MahjongDiscardedTile } from "../../../net/protocol";

/** Discards in a row. */
export const COLUMNS = 6;
/** Rows before the last one grows. */
export const ROWS = 3;

export interface PlacedDiscard {
  tile: number;
  column: number;
  row: number;
}

/** Return the position of each discard; claimed tiles are left out. */
export function placeDiscards(discards: readonly MahjongDiscardedTile[]): readonly PlacedDiscard[] {
  const left = discards.filter(({ by }) => by === undefined || by === null);
  return left.map(({ tile }, number) => {
    // The last row takes all further discards.
    const row = Math.min(ROWS - 1, Math.floor(number / COLUMNS));
    return { tile, column: number - row * COLUMNS, row };
  });
}

/** Return the spacing of the last row in tile widths; it shrinks when there are many tiles. */
export function lastRowSpacing(discards: readonly PlacedDiscard[]): number {
  const most = 1 + Math.max(COLUMNS - 1, ...discards.map(({ column }) => column));
  return most > COLUMNS + 2 ? (COLUMNS + 2) / most : 1;
}
