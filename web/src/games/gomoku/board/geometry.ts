/** Screen coordinates of intersections and back. */

import { SIZE } from "../position";

/** Width of the board in line distances: fourteen, and one for each edge. */
export const UNITS = SIZE + 1;

/** A rectangle on the screen, as `getBoundingClientRect` gives it. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Return the intersection nearest to a point on the screen. */
export function intersection(clientX: number, clientY: number, box: Box): Point {
  return { x: nearest(clientX - box.left, box.width), y: nearest(clientY - box.top, box.height) };
}

/** Return the distance of a line from the edge of a board of this size. */
export function middle(line: number, size: number): number {
  return ((line + 1) * size) / UNITS;
}

function nearest(distance: number, size: number): number {
  const line = size > 0 ? Math.round((distance * UNITS) / size) - 1 : 0;
  return Math.min(SIZE - 1, Math.max(0, line));
}
