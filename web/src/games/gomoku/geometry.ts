/** Where on the screen an intersection lies, and which one a click means. */

import { SIZE } from "./position";

/** The board's width in pitches: fourteen between the lines and one for each edge. */
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

/** Return the nearest intersection to a point on the screen; beside the lines it is the outermost one. */
export function intersection(clientX: number, clientY: number, box: Box): Point {
  return { x: nearest(clientX - box.left, box.width), y: nearest(clientY - box.top, box.height) };
}

/** Return where the middle of a line lies, counted from the edge of a board of this size. */
export function middle(line: number, size: number): number {
  return ((line + 1) * size) / UNITS;
}

function nearest(distance: number, size: number): number {
  const line = size > 0 ? Math.round((distance * UNITS) / size) - 1 : 0;
  return Math.min(SIZE - 1, Math.max(0, line));
}
