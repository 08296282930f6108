/** Draws the chess board for the board image. */

import type { BoardDrawing } from "../../gameInterface";
import { squareMarks } from "./squareMarks";
import { bottomSeat } from "./orientation";
import { colourOf } from "../position";
import { shownPosition } from "./shownPosition";
import { colourOfPiece, SQUARES } from "../squares";

const COLOURS = {
  light: "var(--chess-light)",
  dark: "var(--chess-dark)",
  moved: "var(--chess-moved)",
  label: "color-mix(in srgb, var(--chess-dark), black 50%)",
} as const;
const CHECK = "rgb(200 40 30 / 55%)";
const FOG = "#6f6a62";
const CRATER = "rgb(38 35 30 / 60%)";
const MINE = "#a8322a";
/** Order in the sprite, with 64 pixels per piece. */
const ORDER = "KQRBNP";
const PIECE = 64;

export const boardDrawing: BoardDrawing<"chess"> = async (context, size, scene, readColours, coordinates = true) => {
  const { pieces, fog, lastMove, check } = shownPosition(scene);
  const marks = squareMarks(scene, fog);
  const turned = scene.position !== null && colourOf(scene.position, bottomSeat(scene)) === "black";
  const colours = readColours(COLOURS);
  const image = new Image();
  image.src = pieceSheet();
  await image.decode();
  const cell = size / 8;
  SQUARES.forEach((square, index) => {
    const [column, row] = turned ? [7 - (index % 8), 7 - Math.floor(index / 8)] : [index % 8, Math.floor(index / 8)];
    const [x, y] = [column * cell, row * cell];
    const fill = (colour: string) => {
      context.fillStyle = colour;
      context.fillRect(x, y, cell, cell);
    };
    const mark = marks.get(square)?.split(" ") ?? [];
    fill((index + Math.floor(index / 8)) % 2 ? colours.dark : colours.light);
    if (lastMove.includes(square)) fill(colours.moved);
    if (mark.includes("fog")) fill(FOG);
    if (mark.includes("crater")) drawDisc(context, x + cell / 2, y + cell / 2, cell * 0.34, CRATER);
    if (mark.includes("mine")) drawDisc(context, x + cell / 2, y + cell / 2, cell * 0.2, MINE);
    const piece = pieces.get(square);
    if (piece) {
      const king = piece.toUpperCase() === "K" && check === colourOfPiece(piece);
      if (king) fill(CHECK);
      const from = ORDER.indexOf(piece.toUpperCase()) * PIECE;
      context.drawImage(image, from, colourOfPiece(piece) === "black" ? PIECE : 0, PIECE, PIECE, x, y, cell, cell);
    }
    const number = mark.find((one) => /^number-\d/.test(one))?.slice(7);
    if (number !== undefined) drawLabel(context, number, x + cell * 0.86, y + cell * 0.18, cell * 0.24, MINE);
    if (row === 7 && coordinates) drawLabel(context, square[0]!, x + cell * 0.9, y + cell * 0.9, cell * 0.17, colours.label);
    if (column === 0 && coordinates) drawLabel(context, square[1]!, x + cell * 0.08, y + cell * 0.12, cell * 0.17, colours.label);
  });
};

/** Return the address of the picture with all pieces, as the style sheets say. */
function pieceSheet(): string {
  const url = getComputedStyle(document.documentElement).getPropertyValue("--chess-pieces");
  return /url\("?([^"]+?)"?\)/.exec(url)![1]!;
}

function drawDisc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function drawLabel(context: CanvasRenderingContext2D, text: string, x: number, y: number, height: number, colour: string): void {
  context.fillStyle = colour;
  context.font = `600 ${height}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y);
}
