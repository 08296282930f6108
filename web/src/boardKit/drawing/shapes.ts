/** Drawn circles and arrows: which ones there are, and where they are on a board. */

import { turnedPlace } from "../gridKeys";

export type Brush = "green" | "red" | "blue" | "yellow";

/** A circle around a cell, or an arrow if both cells differ. */
export interface Shape {
  from: number;
  to: number;
  brush: Brush;
}

/** A board of cells that may have an edge around them; all lengths are in cells. */
export interface BoardArea {
  columns: number;
  rows: number;
  /** Width of the edge. */
  edge: number;
  /** Shown turned by 180 degrees; cells keep their numbers. */
  turned: boolean;
}

export interface Point {
  x: number;
  y: number;
}

interface Modifiers {
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

const BRUSHES = ["green", "red", "blue", "yellow"] as const;
const CIRCLE_RADIUS = 0.44;
/** Half of the widths of an arrow and of its head, and the length of the head. */
const ARROW = { shaft: 0.08, head: 0.22, length: 0.36 } as const;

/** Return the colour for the pressed modifier keys: Shift or Ctrl red, Alt blue, both yellow. */
export function brushOf({ shiftKey, ctrlKey, altKey, metaKey }: Modifiers): Brush {
  return BRUSHES[(shiftKey || ctrlKey ? 1 : 0) + (altKey || metaKey ? 2 : 0)]!;
}

/** Add a shape; drawn again in the same colour it is removed, in another one it is replaced. */
export function withShape(shapes: readonly Shape[], shape: Shape): readonly Shape[] {
  const same = shapes.find(({ from, to }) => from === shape.from && to === shape.to);
  const others = shapes.filter((one) => one !== same);
  return same?.brush === shape.brush ? others : [...others, shape];
}

/** Return the cell at a point of the screen; null outside the board. Points on the edge belong to the nearest cell. */
export function cellAt(clientX: number, clientY: number, box: DOMRectReadOnly | Omit<DOMRectReadOnly, "toJSON">, area: BoardArea): number | null {
  const { columns, rows, edge } = area;
  if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) return null;
  const along = (distance: number, size: number, cells: number) =>
    Math.min(cells - 1, Math.max(0, Math.floor((distance * (cells + 2 * edge)) / size - edge)));
  const place = along(clientX - box.left, box.width, columns) + columns * along(clientY - box.top, box.height, rows);
  return turnedPlace(place, area);
}

/** Return the centre of a cell. */
export function centreOf(cell: number, area: BoardArea): Point {
  const place = turnedPlace(cell, area);
  return { x: area.edge + (place % area.columns) + 0.5, y: area.edge + Math.floor(place / area.columns) + 0.5 };
}

/** Return the outline of an arrow as a path; its tip is at the centre of the cell. */
export function arrowPath(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [alongX, alongY] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const neck = Math.max(0, length - ARROW.length);
  const corners = [
    [0, ARROW.shaft],
    [neck, ARROW.shaft],
    [neck, ARROW.head],
    [length, 0],
    [neck, -ARROW.head],
    [neck, -ARROW.shaft],
    [0, -ARROW.shaft],
  ] as const;
  const points = corners.map(([far, aside]) => `${round(from.x + far * alongX - aside * alongY)} ${round(from.y + far * alongY + aside * alongX)}`);
  return `M${points.join("L")}Z`;
}

/** Return a circle as a path, of the same kind as an arrow. */
export function circlePath({ x, y }: Point): string {
  const radius = CIRCLE_RADIUS;
  return `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;
}

function round(length: number): number {
  return Math.round(length * 1000) / 1000;
}
