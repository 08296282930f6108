/** Screen coordinates of intersections and back. */

/** Return the width of a board in line distances: those between its lines, and one for each edge. */
export function unitsOf(lines: number): number {
  return lines + 1;
}

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
export function intersection(clientX: number, clientY: number, box: Box, lines: number): Point {
  return { x: nearest(clientX - box.left, box.width, lines), y: nearest(clientY - box.top, box.height, lines) };
}

/** Return the distance of a line from the edge of a board of this size. */
export function middle(line: number, size: number, lines: number): number {
  return ((line + 1) * size) / unitsOf(lines);
}

function nearest(distance: number, size: number, lines: number): number {
  const line = size > 0 ? Math.round((distance * unitsOf(lines)) / size) - 1 : 0;
  return Math.min(lines - 1, Math.max(0, line));
}
