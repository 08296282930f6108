/** Draws the board for the board image; recomputes the randomness. */

import type { BoardDrawing, VerifyGame } from "../gameInterface";
import { EMPTY } from "./position";

const BACKGROUND = "#fffdf6";
const LINE = "#b9ab8d";
const COLOURS: Readonly<Record<string, string>> = { X: "#a8322a", O: "#1c6653" };

export const boardDrawing: BoardDrawing<"tictactoe"> = (context, size, { position }) => {
  const board = position?.board ?? EMPTY.repeat(9);
  const won = new Set(position?.lines.flat());
  const cell = size / 3;
  context.fillStyle = BACKGROUND;
  context.fillRect(0, 0, size, size);
  context.lineCap = "round";
  context.lineWidth = size * 0.012;
  context.strokeStyle = LINE;
  for (const at of [cell, 2 * cell]) {
    stroke(context, [[at, size * 0.03], [at, size * 0.97]]);
    stroke(context, [[size * 0.03, at], [size * 0.97, at]]);
  }
  context.lineWidth = cell * 0.13;
  [...board].forEach((symbol, number) => {
    const [x, y] = [(number % 3) * cell + cell / 2, Math.floor(number / 3) * cell + cell / 2];
    const colour = COLOURS[symbol];
    if (colour === undefined) return;
    context.globalAlpha = won.size > 0 && !won.has(number) ? 0.35 : 1;
    context.strokeStyle = colour;
    const arm = cell * 0.26;
    if (symbol === "X") {
      stroke(context, [[x - arm, y - arm], [x + arm, y + arm]]);
      stroke(context, [[x + arm, y - arm], [x - arm, y + arm]]);
    } else {
      context.beginPath();
      context.arc(x, y, cell * 0.29, 0, 2 * Math.PI);
      context.stroke();
    }
  });
  context.globalAlpha = 1;
};

function stroke(context: CanvasRenderingContext2D, [from, to]: readonly [readonly [number, number], readonly [number, number]]): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

export const verifyGame: VerifyGame<"tictactoe"> = ({ positions: [first] }, dice) =>
  first !== undefined && first.left === dice.below(2) && first.x === dice.below(2);
