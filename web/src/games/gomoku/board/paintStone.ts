/** Paints stones, cached by size. */

import type { Colour } from "../position";

/** Radius of a stone in line distances; neighbours nearly touch. */
export const RADIUS = 0.47;
/** Width of a stone image in line distances, with room for the shadow. */
const STONE_MARGIN = 1.3;

const cache = new Map<string, HTMLCanvasElement>();

/** Draw a stone centred at this pixel. */
export function paintStone(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  pitch: number,
  colour: Colour,
): void {
  const picture = pictureOf(colour, pitch);
  context.drawImage(picture, Math.round(x - picture.width / 2), Math.round(y - picture.height / 2));
}

function pictureOf(colour: Colour, pitch: number): HTMLCanvasElement {
  const key = `${colour} ${pitch}`;
  const known = cache.get(key);
  if (known) return known;
  if (cache.size > 8) cache.clear();
  const picture = document.createElement("canvas");
  picture.width = picture.height = 2 * Math.ceil((pitch * STONE_MARGIN) / 2);
  const context = picture.getContext("2d");
  if (context) shape(context, picture.width / 2, pitch * RADIUS, colour);
  cache.set(key, picture);
  return picture;
}

function shape(context: CanvasRenderingContext2D, middle: number, radius: number, colour: Colour): void {
  const disc = () => {
    context.beginPath();
    context.arc(middle, middle, radius, 0, 2 * Math.PI);
  };
  context.save();
  context.shadowColor = "rgb(30 16 0 / 45%)";
  context.shadowBlur = radius * 0.28;
  context.shadowOffsetX = radius * 0.06;
  context.shadowOffsetY = radius * 0.14;
  disc();
  context.fillStyle = colour === "black" ? "#17181a" : "#e9e4d8";
  context.fill();
  context.restore();

  const light = context.createRadialGradient(
    middle - radius * 0.36, middle - radius * 0.42, radius * 0.04,
    middle - radius * 0.1, middle - radius * 0.12, radius * 1.12,
  );
  if (colour === "black") {
    light.addColorStop(0, "#75787d");
    light.addColorStop(0.16, "#4b4e53");
    light.addColorStop(0.5, "#26282b");
    light.addColorStop(1, "#0d0e10");
  } else {
    light.addColorStop(0, "#ffffff");
    light.addColorStop(0.45, "#faf7f0");
    light.addColorStop(0.8, "#e8e2d4");
    light.addColorStop(1, "#c6bda8");
  }
  disc();
  context.fillStyle = light;
  context.fill();
  disc();
  context.lineWidth = Math.max(0.75, radius * 0.045);
  context.strokeStyle = colour === "black" ? "rgb(0 0 0 / 55%)" : "rgb(110 92 60 / 55%)";
  context.stroke();
}
