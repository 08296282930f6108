/** Keys that move the focus on a grid. */

export interface Grid {
  columns: number;
  rows: number;
  /** Shown turned by 180 degrees; cells keep their numbers. */
  turned: boolean;
}

/** Return the place of a cell on the screen, or the cell of a place; both are counted by rows from the top left. */
export function turnedPlace(number: number, { columns, rows, turned }: Grid): number {
  return turned ? columns * rows - 1 - number : number;
}

/** Return the cell that a key moves to, within the grid; null for other keys. */
export function cellByKey(cell: number, key: string, grid: Grid): number | null {
  const { columns, rows } = grid;
  const place = turnedPlace(cell, grid);
  const to = keyTarget(Math.floor(place / columns), place % columns);
  return to && turnedPlace(to[0] * columns + to[1], grid);

  function keyTarget(row: number, column: number): readonly [row: number, column: number] | null {
    switch (key) {
      case "ArrowUp":
        return [Math.max(0, row - 1), column];
      case "ArrowDown":
        return [Math.min(rows - 1, row + 1), column];
      case "ArrowLeft":
        return [row, Math.max(0, column - 1)];
      case "ArrowRight":
        return [row, Math.min(columns - 1, column + 1)];
      case "Home":
        return [row, 0];
      case "End":
        return [row, columns - 1];
      case "PageUp":
        return [0, column];
      case "PageDown":
        return [rows - 1, column];
      default:
        return null;
    }
  }
}
