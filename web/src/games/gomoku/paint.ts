/** Draws the board: wood, lines and stones, in device pixels. */

import { middle, UNITS } from "./geometry";
import type { Palette } from "./palette";
import { colourOfMove, columnName, SIZE, type Colour } from "./position";
import { drawStone, RADIUS } from "./stone";
import { drawWood } from "./wood";

/** Five dots by which the eye finds its way. */
const STARS = [[3, 3], [11, 3], [7, 7], [3, 11], [11, 11]] as const;
const TURN = 2 * Math.PI;

/** A stone that is not there yet. */
export interface Ghost {
  cell: number;
  colour: Colour;
  is: "hover" | "aimed" | "sent";
}

export interface Picture {
  moves: readonly number[];
  line: readonly number[];
  ghost: Ghost | null;
}

interface Slab {
  size: number;
  palette: Palette;
  canvas: HTMLCanvasElement;
}

let slab: Slab | null = null;

/** Draw everything on a square of this many device pixels. */
export function paint(context: CanvasRenderingContext2D, size: number, palette: Palette, picture: Picture): void {
  const pitch = size / UNITS;
  const at = (cell: number) => ({
    x: crisp(middle(cell % SIZE, size)) + 0.5,
    y: crisp(middle(Math.floor(cell / SIZE), size)) + 0.5,
  });
  context.globalAlpha = 1;
  context.drawImage(empty(size, palette), 0, 0);
  const { moves, line, ghost } = picture;
  if (ghost?.is === "aimed") crosshair(context, size, palette, at(ghost.cell));
  moves.forEach((cell, index) => {
    const { x, y } = at(cell);
    drawStone(context, x, y, pitch, colourOfMove(index));
  });
  if (ghost) {
    const { x, y } = at(ghost.cell);
    context.globalAlpha = ghost.is === "hover" ? 0.45 : 0.62;
    drawStone(context, x, y, pitch, ghost.colour);
    context.globalAlpha = 1;
    if (ghost.is === "aimed") ring(context, x, y, pitch * 0.56, Math.max(1.5, pitch * 0.07), palette.aim);
  }
  const last = moves.at(-1);
  if (line.length > 1) winning(context, pitch, palette, line.map(at));
  else if (last !== undefined) {
    const { x, y } = at(last);
    ring(context, x, y, pitch * 0.2, Math.max(1.25, pitch * 0.065), palette.mark[colourOfMove(moves.length - 1)]);
  }
}

/** The board without a stone changes only with its size and the time of day. */
function empty(size: number, palette: Palette): HTMLCanvasElement {
  if (slab?.size === size && slab.palette === palette) return slab.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) {
    drawWood(context, size, palette.timber);
    grid(context, size, palette);
    labels(context, size, palette);
  }
  slab = { size, palette, canvas };
  return canvas;
}

/** Lines of whole pixels at whole pixels are sharp on every screen. */
function grid(context: CanvasRenderingContext2D, size: number, palette: Palette): void {
  const pitch = size / UNITS;
  const thin = Math.max(1, Math.round(pitch * 0.03));
  const [from, to] = [crisp(middle(0, size)), crisp(middle(SIZE - 1, size))];
  context.fillStyle = palette.line;
  for (let line = 0; line < SIZE; line++) {
    const width = line === 0 || line === SIZE - 1 ? thin + Math.max(1, Math.round(thin / 2)) : thin;
    const start = crisp(middle(line, size)) - Math.floor((width - 1) / 2);
    context.globalAlpha = 0.85;
    context.fillRect(start, from, width, to - from + 1);
    context.fillRect(from, start, to - from + 1, width);
  }
  context.globalAlpha = 1;
  for (const [x, y] of STARS) {
    context.beginPath();
    context.arc(crisp(middle(x, size)) + 0.5, crisp(middle(y, size)) + 0.5, Math.max(2, pitch * 0.1), 0, TURN);
    context.fill();
  }
}

function labels(context: CanvasRenderingContext2D, size: number, palette: Palette): void {
  const pitch = size / UNITS;
  context.fillStyle = palette.label;
  context.font = `600 ${Math.max(8, pitch * 0.34)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let line = 0; line < SIZE; line++) {
    const along = middle(line, size);
    context.fillText(columnName(line), along, size - pitch * 0.36);
    context.fillText(String(SIZE - line), pitch * 0.36, along);
  }
}

function crosshair(context: CanvasRenderingContext2D, size: number, palette: Palette, at: { x: number; y: number }): void {
  const width = Math.max(1, Math.round(size / UNITS / 12));
  context.globalAlpha = 0.75;
  context.fillStyle = palette.aim;
  const [from, to] = [crisp(middle(0, size)), crisp(middle(SIZE - 1, size)) + 1];
  context.fillRect(Math.round(at.x - width / 2), from, width, to - from);
  context.fillRect(from, Math.round(at.y - width / 2), to - from, width);
  context.globalAlpha = 1;
}

function ring(context: CanvasRenderingContext2D, x: number, y: number, radius: number, width: number, colour: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, TURN);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/** Every stone of the line gets a ring, and a line runs through them. */
function winning(
  context: CanvasRenderingContext2D,
  pitch: number,
  palette: Palette,
  points: readonly { x: number; y: number }[],
): void {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return;
  context.lineCap = "round";
  for (const [width, colour] of [[0.17, palette.casing], [0.09, palette.win]] as const) {
    context.beginPath();
    context.moveTo(first.x, first.y);
    context.lineTo(last.x, last.y);
    context.lineWidth = pitch * width;
    context.strokeStyle = colour;
    context.stroke();
  }
  for (const { x, y } of points) ring(context, x, y, pitch * (RADIUS + 0.01), Math.max(1.5, pitch * 0.075), palette.win);
}

function crisp(place: number): number {
  return Math.floor(place);
}
