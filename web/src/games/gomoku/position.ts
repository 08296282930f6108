/** Position of gomoku, and how events change it. */

import type { GomokuEvent, GomokuPosition, Seat } from "../../net/protocol";

export const SIZE = 15;
export const CELLS = SIZE * SIZE;
export const CENTRE = (CELLS - 1) / 2;

export type Colour = "black" | "white";

/** Return the colour of the stone with this move index; black is first. */
export function colourOfMove(index: number): Colour {
  return index % 2 === 0 ? "black" : "white";
}

/** Return the colour a seat plays with. */
export function colourOf(position: GomokuPosition, seat: Seat): Colour {
  return seat === position.black ? "black" : "white";
}

/** Return the coordinate of a cell: A1 at the bottom left, O15 at the top right. */
export function coordinate(cell: number): string {
  return `${columnName(cell % SIZE)}${SIZE - Math.floor(cell / SIZE)}`;
}

/** Return the letter of a column counted from the left. */
export function columnName(x: number): string {
  return String.fromCharCode(65 + x);
}

/** Return the stones on the board after these moves. */
export function stones(moves: readonly number[]): ReadonlyMap<number, Colour> {
  return new Map(moves.map((cell, index) => [cell, colourOfMove(index)]));
}

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position: GomokuPosition, event: GomokuEvent): GomokuPosition {
  switch (event.e) {
    case "placed":
      return { ...position, moves: [...position.moves, event.x + SIZE * event.y], turn: 1 - event.seat };
    case "five_in_row":
      return { ...position, line: event.cells };
    default:
      return position;
  }
}
