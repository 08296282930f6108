/** Paints wood, lines and stones. */

import { middle, unitsOf } from "./geometry";
import type { BoardColours } from "./boardColours";
import { colourOfMove, columnName, type Colour } from "../position";
import { paintStone, RADIUS } from "./paintStone";
import { paintWood } from "./paintWood";

const FULL_CIRCLE = 2 * Math.PI;

/** A stone that is not placed yet. */
export interface PreviewStone {
  cell: number;
  colour: Colour;
  kind: "hover" | "aimed" | "sent";
}

export interface BoardContent {
  /** Lines of the board in each direction. */
  lines: number;
  coordinates: boolean;
  moves: readonly number[];
  line: readonly number[];
  /** Cells where black may not place a stone. */
  forbidden: readonly number[];
  preview: PreviewStone | null;
}

interface CachedBoard {
  size: number;
  lines: number;
  coordinates: boolean;
  palette: BoardColours;
  canvas: HTMLCanvasElement;
}

let cachedBoard: CachedBoard | null = null;

/** Paint everything on a square of this size in device pixels. */
export function paintBoard(context: CanvasRenderingContext2D, size: number, palette: BoardColours, picture: BoardContent): void {
  const { lines, coordinates, moves, line, forbidden, preview } = picture;
  const pitch = size / unitsOf(lines);
  const at = (cell: number) => ({
    x: crisp(middle(cell % lines, size, lines)) + 0.5,
    y: crisp(middle(Math.floor(cell / lines), size, lines)) + 0.5,
  });
  context.globalAlpha = 1;
  context.drawImage(emptyBoard({ size, lines, coordinates, palette }), 0, 0);
  if (preview?.kind === "aimed") crosshair(context, size, lines, palette, at(preview.cell));
  for (const cell of forbidden) cross(context, pitch, palette, at(cell));
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

/** The empty board is cached; it depends only on size, coordinates and colour scheme. */
function emptyBoard(wanted: Omit<CachedBoard, "canvas">): HTMLCanvasElement {
  const { size, lines, coordinates, palette } = wanted;
  const known = cachedBoard;
  if (known?.size === size && known.lines === lines && known.coordinates === coordinates && known.palette === palette) return known.canvas;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context) {
    paintWood(context, size, palette.wood);
    grid(context, size, lines, palette);
    if (coordinates) labels(context, size, lines, palette);
  }
  cachedBoard = { ...wanted, canvas };
  return canvas;
}

/** Lines are aligned to whole pixels, so that they are sharp. */
function grid(context: CanvasRenderingContext2D, size: number, lines: number, palette: BoardColours): void {
  const pitch = size / unitsOf(lines);
  const thin = Math.max(1, Math.round(pitch * 0.03));
  const [from, to] = [crisp(middle(0, size, lines)), crisp(middle(lines - 1, size, lines))];
  context.fillStyle = palette.line;
  for (let line = 0; line < lines; line++) {
    const width = line === 0 || line === lines - 1 ? thin + Math.max(1, Math.round(thin / 2)) : thin;
    const start = crisp(middle(line, size, lines)) - Math.floor((width - 1) / 2);
    context.globalAlpha = 0.85;
    context.fillRect(start, from, width, to - from + 1);
    context.fillRect(from, start, to - from + 1, width);
  }
  context.globalAlpha = 1;
  for (const [x, y] of starPoints(lines)) {
    context.beginPath();
    context.arc(crisp(middle(x, size, lines)) + 0.5, crisp(middle(y, size, lines)) + 0.5, Math.max(2, pitch * 0.1), 0, FULL_CIRCLE);
    context.fill();
  }
}

/** Return the star points: five on the usual board, nine on the large one, as in Go. */
function starPoints(lines: number): readonly (readonly [x: number, y: number])[] {
  const [near, centre, far] = [3, (lines - 1) / 2, lines - 4] as const;
  const corners = [[near, near], [far, near], [near, far], [far, far], [centre, centre]] as const;
  const sides = [[centre, near], [near, centre], [far, centre], [centre, far]] as const;
  return lines > 15 ? [...corners, ...sides] : corners;
}

function labels(context: CanvasRenderingContext2D, size: number, lines: number, palette: BoardColours): void {
  const pitch = size / unitsOf(lines);
  context.fillStyle = palette.label;
  context.font = `600 ${Math.max(8, pitch * 0.34)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let line = 0; line < lines; line++) {
    const along = middle(line, size, lines);
    context.fillText(columnName(line), along, size - pitch * 0.36);
    context.fillText(String(lines - line), pitch * 0.36, along);
  }
}

function crosshair(context: CanvasRenderingContext2D, size: number, lines: number, palette: BoardColours, at: { x: number; y: number }): void {
  const width = Math.max(1, Math.round(size / unitsOf(lines) / 12));
  context.globalAlpha = 0.75;
  context.fillStyle = palette.aim;
  const [from, to] = [crisp(middle(0, size, lines)), crisp(middle(lines - 1, size, lines)) + 1];
  context.fillRect(Math.round(at.x - width / 2), from, width, to - from);
  context.fillRect(from, Math.round(at.y - width / 2), to - from, width);
  context.globalAlpha = 1;
}

/** Mark a forbidden point. */
function cross(context: CanvasRenderingContext2D, pitch: number, palette: BoardColours, { x, y }: { x: number; y: number }): void {
  const reach = pitch * 0.22;
  context.lineCap = "round";
  for (const [width, colour] of [[0.2, palette.outline], [0.11, palette.win]] as const) {
    context.beginPath();
    context.moveTo(x - reach, y - reach);
    context.lineTo(x + reach, y + reach);
    context.moveTo(x + reach, y - reach);
    context.lineTo(x - reach, y + reach);
    context.lineWidth = Math.max(1.5, pitch * width);
    context.strokeStyle = colour;
    context.stroke();
  }
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
