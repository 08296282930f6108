/** Draws the board for the image of a game. */

import { discsAfter, SIZE } from "./position.js";

const COLOURS = { felt: "var(--reversi-felt)", line: "var(--reversi-line)" };
const FRAME = "#3a2a1c";
const DISCS = { black: ["#54585d", "#0f1012"], white: ["#ffffff", "#d9d1be"] };

export function drawBoard(context, size, { position }, colours) {
  const { felt, line: ink } = colours(COLOURS);
  const edge = size * 0.03;
  const pitch = (size - 2 * edge) / SIZE;
  context.fillStyle = FRAME;
  context.fillRect(0, 0, size, size);
  context.fillStyle = felt;
  context.fillRect(edge, edge, size - 2 * edge, size - 2 * edge);
  context.strokeStyle = ink;
  context.lineWidth = Math.max(1, size / 400);
  context.beginPath();
  for (let line = 0; line <= SIZE; line += 1) {
    const at = edge + line * pitch;
    context.moveTo(at, edge);
    context.lineTo(at, size - edge);
    context.moveTo(edge, at);
    context.lineTo(size - edge, at);
  }
  context.stroke();
  const discs = position ? discsAfter(position, position.moves.length) : [];
  discs.forEach((colour, square) => {
    const [x, y] = [edge + ((square % SIZE) + 0.5) * pitch, edge + (Math.floor(square / SIZE) + 0.5) * pitch];
    const light = context.createRadialGradient(x - pitch * 0.14, y - pitch * 0.16, pitch * 0.04, x, y, pitch * 0.46);
    DISCS[colour].forEach((tone, index) => light.addColorStop(index, tone));
    context.fillStyle = light;
    context.beginPath();
    context.arc(x, y, pitch * 0.42, 0, 2 * Math.PI);
    context.fill();
  });
}
