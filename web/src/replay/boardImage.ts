/** Draws a position as an image with players and move number. */

import type { BoardDrawing, Scene } from "../games/gameInterface";
import { gameName } from "../i18n/language";
import type { GameName } from "../net/protocol";
import { readLightColours } from "../settings/readColours";

/** Size of the board in pixels. */
const SIDE = 1080;
const MARGIN = 60;
const STRIP = 84;
const BACKGROUND = "#faf6ec";
const INK = "#26231e";
const SOFT_INK = "#6b6355";
const FONT = "system-ui, 'PingFang TC', 'Noto Sans CJK TC', 'Microsoft JhengHei', sans-serif";

/** Return an image of a scene. */
export async function boardImage(drawing: BoardDrawing<GameName>, scene: Scene<GameName>, caption: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE + 2 * MARGIN;
  canvas.height = SIDE + 2 * STRIP;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("there is nothing to draw on");
  context.fillStyle = BACKGROUND;
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawStrip(context, STRIP / 2, gameName(scene.room.game), playerNames(scene));
  drawStrip(context, canvas.height - STRIP / 2, location.host, caption);
  context.save();
  context.translate(MARGIN, STRIP);
  // On light paper, whatever the theme.
  await drawing(context, SIDE, scene, readLightColours);
  context.restore();
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture came of it"))), "image/png"),
  );
}

function playerNames({ room, nameAt }: Scene<GameName>): string {
  return room.seats.map((_, seat) => nameAt(seat)).join(" · ");
}

function drawStrip(context: CanvasRenderingContext2D, y: number, left: string, right: string): void {
  const room = SIDE / 2;
  context.textBaseline = "middle";
  context.fillStyle = INK;
  context.font = `600 34px ${FONT}`;
  context.textAlign = "left";
  context.fillText(left, MARGIN, y, room);
  context.fillStyle = SOFT_INK;
  context.font = `30px ${FONT}`;
  context.textAlign = "right";
  context.fillText(right, SIDE + MARGIN, y, room);
}

/** Return an SVG as an image that a canvas can draw. */
export async function imageFromSvg(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}
