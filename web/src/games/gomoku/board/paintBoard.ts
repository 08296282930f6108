/** Paints wood, lines and stones. */

import { middle, UNITS } from "./geometry";
import type { BoardColours } from "./boardColours";
import { colourOfMove, columnName, SIZE, type Colour } from "../position";
import { paintStone, RADIUS } from "./paintStone";
import { paintWood } from "./paintWood";

/** The five star points. */
const STARS = [[3, 3], [11, 3], [7, 7], [3, 11], [11, 11]] as const;
const FULL_CIRCLE = 2 * Math.PI;

/** A stone that is not placed yet. */
export interface PreviewStone {
  cell: number;
  colour: Colour;
  kind: "hover" | "aimed" | "sent";
}

export interface BoardContent {
  moves: readonly number[];
  line: readonly number[];
  preview: PreviewStone | null;
}

interface CachedBoard {
  size: number;
  palette: BoardColours;
  canvas: HTMLCanvasElement;
}

let cachedBoard: CachedBoard | null = null;

/** Paint everything on a square of this size in device pixels. */
export function paintBoard(context: CanvasRenderingContext2D, size: number, palette: BoardColours, picture: BoardContent): void {
  const pitch = size / UNITS;
  const at = (cell: number) => ({
    x: crisp(middle(cell % SIZE, size)) + 0.5,
    y: crisp(middle(Math.floor(cell / SIZE), size)) + 0.5,
  });
  context.globalAlpha = 1;
  context.drawImage(emptyBoard(size, palette), 0, 0);
  const { moves, line, preview } = picture;
  if (preview?.kind === "aimed") crosshair(context, size, palette, at(preview.cell));
  moves.forEach((cell, index) => {
    const { x, y } = at(cell);
    paintStone(context, x, y, pitch, colourOfMove(index));
  });
  if (preview) {
    const { x, y } = at(preview.cell);
    context.globalAlpha = preview.kind === "hover" ? 0.45 : 0.62;
    paintStone(context, x, y, pitch, preview.colour);
    context.globalAlpha = 1;
    if (preview.kind === "aimed") ring(context, x, y, pitch * 0.56, Math.max(1.5, pitch * 0.07), palette.aim);
  }
  const last = moves.at(-1);
  if (line.length > 1) winning(context, pitch, palette, line.map(at));
  else if (last !== undefined) {
    const { x, y } = at(last);
    ring(context, x, y, pitch * 0.2, Math.max(1.25, pitch * 0.065), palette.mark[colourOfMove(moves.length - 1)]);
  }
}

/** The empty board is cached; it depends only on size and colour scheme. */
function emptyBoard(size: number, palette: BoardColours): HTMLCanvasElement {
  if (cachedBoard?.size === size && cachedBoard.palette === palette) return cachedBoard.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) {
    paintWood(context, size, palette.wood);
    grid(context, size, palette);
    labels(context, size, palette);
  }
  cachedBoard = { size, palette, canvas };
  return canvas;
}

/** Lines are aligned to whole pixels, so that they are sharp. */
function grid(context: CanvasRenderingContext2D, size: number, palette: BoardColours): void {
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
    context.arc(crisp(middle(x, size)) + 0.5, crisp(middle(y, size)) + 0.5, Math.max(2, pitch * 0.1), 0, FULL_CIRCLE);
    context.fill();
  }
}

function labels(context: CanvasRenderingContext2D, size: number, palette: BoardColours): void {
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

function crosshair(context: CanvasRenderingContext2D, size: number, palette: BoardColours, at: { x: number; y: number }): void {
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
  context.arc(x, y, radius, 0, FULL_CIRCLE);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

/** Mark every stone of the winning line with a ring, and draw a line through them. */
function winning(
  context: CanvasRenderingContext2D,
  pitch: number,
  palette: BoardColours,
  points: readonly { x: number; y: number }[],
): void {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return;
  context.lineCap = "round";
  for (const [width, colour] of [[0.17, palette.outline], [0.09, palette.win]] as const) {
    context.beginPath();
    context.moveTo(first.x, first.y);
    context.lineTo(last.x, last.y);
    context.lineWidth = pitch * width;
    context.strokeStyle = colour;
    context.stroke();
  }
  for (const { x, y } of points) ring(context, x, y, pitch * (RADIUS + 0.01), Math.max(1.5, pitch * 0.075), palette.win);
}

function crisp(coordinate: number): number {
  return Math.floor(coordinate);
}
