/** Positions of discards on the table. */

import type { MahjongDiscardedTile } from "../../../net/protocol";

/** Rows of discards before a seat. */
export interface DiscardRows {
  columns: number;
  /** The last row takes all further discards. */
  rows: number;
}

/** Before every seat; on a phone held sideways the own and the opposite seat have long rows instead. */
export const ROWS: DiscardRows = { columns: 6, rows: 3 };
export const LONG_ROWS: DiscardRows = { columns: 9, rows: 2 };

export interface PlacedDiscard {
  tile: number;
  /** In tile widths; between whole numbers where a row has little room. */
  column: number;
  row: number;
}

/** Return the position of each discard; claimed tiles are left out. */
export function placeDiscards(discards: readonly MahjongDiscardedTile[], { columns, rows } = ROWS): readonly PlacedDiscard[] {
  const left = discards.filter(({ by }) => by === undefined || by === null);
  const inLastRow = left.length - (rows - 1) * columns;
  // It may be two tiles longer than the others; then its tiles overlap.
  const space = inLastRow > columns + 2 ? (columns + 2) / inLastRow : 1;
  return left.map(({ tile }, number) => {
    const row = Math.min(rows - 1, Math.floor(number / columns));
    return { tile, column: (number - row * columns) * (row === rows - 1 ? space : 1), row };
  });
}
