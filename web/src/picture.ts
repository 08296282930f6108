/** A position as a picture: the board, who plays, and where in the game it is. */

import type { Drawing, Scene } from "./games/game";
import { gameName } from "./i18n";
import type { GameName } from "./wire";

/** Pixels along a side of the board. */
const SIDE = 1080;
const EDGE = 60;
const STRIP = 84;
const PAPER = "#faf6ec";
const INK = "#26231e";
const SOFT = "#6b6355";
const FONT = "system-ui, 'PingFang TC', 'Noto Sans CJK TC', 'Microsoft JhengHei', sans-serif";

/** Return a picture of what a scene shows. */
export async function pictureOf(drawing: Drawing<GameName>, scene: Scene<GameName>, caption: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE + 2 * EDGE;
  canvas.height = SIDE + 2 * STRIP;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("there is nothing to draw on");
  context.fillStyle = PAPER;
  context.fillRect(0, 0, canvas.width, canvas.height);
  strip(context, STRIP / 2, gameName(scene.room.game), whoPlays(scene));
  strip(context, canvas.height - STRIP / 2, location.host, caption);
  context.save();
  context.translate(EDGE, STRIP);
  await drawing(context, SIDE, scene);
  context.restore();
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture came of it"))), "image/png"),
  );
}

function whoPlays({ room, nameAt }: Scene<GameName>): string {
  return room.chairs.map((_, seat) => nameAt(seat)).join(" · ");
}

function strip(context: CanvasRenderingContext2D, y: number, left: string, right: string): void {
  const room = SIDE / 2;
  context.textBaseline = "middle";
  context.fillStyle = INK;
  context.font = `600 34px ${FONT}`;
  context.textAlign = "left";
  context.fillText(left, EDGE, y, room);
  context.fillStyle = SOFT;
  context.font = `30px ${FONT}`;
  context.textAlign = "right";
  context.fillText(right, SIDE + EDGE, y, room);
}

/** Return a drawing of ours as something that can be painted; it carries all its colours itself. */
export async function painted(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}
