/** Draws the mahjong table for the board image. */

import { render } from "preact";
import { imageFromSvg } from "../../replay/boardImage";
import type { MahjongMeld, Seat } from "../../net/protocol";
import type { BoardDrawing } from "../gameInterface";
import { TileFace } from "./tiles/TileFaces";
import type { MahjongScene } from "./tiles/tileNames";
import { placeDiscards, ROWS } from "./table/discardLayout";
import { seatsAround, fullPosition, fullPrivateView, type FullPosition } from "./position";
import { kindOf } from "./tiles/tiles";
import "./styles/colours.css";

const COLOURS = {
  face: "var(--tile-face)",
  edge: "var(--tile-edge)",
  back: "var(--tile-back)",
  backEdge: "var(--tile-back-low)",
  felt: "color-mix(in srgb, var(--felt), var(--felt-low))",
  centre: "var(--felt-low)",
  chalk: "var(--chalk)",
  red: "var(--mj-red)",
  green: "var(--mj-green)",
  blue: "var(--mj-blue)",
  ink: "var(--mj-ink)",
  gold: "var(--mj-gold)",
} as const;
type Colours = Readonly<Record<keyof typeof COLOURS, string>>;

/** Return the attributes for the parts of a tile face, as in the style sheet. */
const paintOf = ({ face, gold, red, green, blue, ink }: Colours): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  "mj-fill": { fill: "currentColor" },
  "mj-ivory": { fill: face },
  "mj-gold": { fill: gold },
  "mj-stroke": { fill: "none", stroke: "currentColor", "stroke-linecap": "square" },
  "mj-frame": { fill: "none", stroke: "currentColor" },
  "mj-shine": { fill: "none", stroke: "#fff", "stroke-opacity": "0.55", "stroke-width": "1.1", "stroke-linecap": "round" },
  "mj-figure": { fill: "currentColor", "font-size": "15", "font-weight": "700", "font-family": "sans-serif" },
  ...Object.fromEntries(Object.entries({ red, green, blue, ink }).map(([name, color]) => [`mj-${name}`, { color }])),
});

/** Size of the drawing in units. */
const SIDE = 1080;
/** Width of a tile with its gap, on the table and in a hand. */
const [LYING, HELD] = [33, 42];
/** Position of the hands. */
const EDGE = 1016;
const high = (wide: number) => (wide * 4) / 3;

export const boardDrawing: BoardDrawing<"mahjong"> = async (context, size, scene, readColours) => {
  const image = await imageFromSvg(tableSvg(scene, readColours(COLOURS)));
  context.drawImage(image, 0, 0, size, size);
};

/** Return the table as a self-contained SVG. */
function tableSvg(scene: MahjongScene, colours: Colours): string {
  const game = scene.position && fullPosition(scene.position);
  const kinds = new Set<number>();
  const sides = game ? seatsAround(scene.you ?? scene.facing ?? 0).map((seat, side) => sideSvg(scene, colours, game, seat, side, kinds)).join("") : "";
  const middle = game
    ? `<rect x="420" y="420" width="240" height="240" rx="16" fill="${colours.centre}"/>` +
      textSvg(540, 520, colours.chalk, scene.texts.games.mahjong.round(game.wind, game.place % 4), 25) +
      textSvg(540, 580, colours.chalk, String(game.drawable), 44)
    : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">` +
    `<defs>${[...kinds].map((kind) => tileSvg(kind, paintOf(colours))).join("")}</defs><rect width="${SIDE}" height="${SIDE}" fill="${colours.felt}"/>${middle}${sides}</svg>`
  );
}

/** Return one side, drawn from the bottom and rotated. */
function sideSvg(scene: MahjongScene, colours: Colours, game: FullPosition, seat: Seat, side: number, kinds: Set<number>): string {
  const player = game.players[seat]!;
  const box = (x: number, y: number, wide: number, fill: string, edge: string) =>
    `<rect x="${x}" y="${y}" width="${wide - 2}" height="${high(wide) - 2}" rx="${wide / 8}" fill="${fill}" stroke="${edge}"/>`;
  const tile = (id: number, x: number, y: number, wide: number) => {
    kinds.add(kindOf(id));
    const inner = `x="${x + 2}" y="${y + 2}" width="${wide - 6}" height="${high(wide) - 6}"`;
    return `${box(x, y, wide, colours.face, colours.edge)}<use href="#k${kindOf(id)}" ${inner}/>`;
  };
  const pool = placeDiscards(player.discards);
  const discards = pool.map(({ tile: id, column, row }) =>
    tile(id, 540 - (ROWS.columns / 2) * LYING + column * LYING, 672 + row * high(LYING), LYING));
  const privateView = seat === scene.you && game.private ? fullPrivateView(game.private) : null;
  const held = privateView ? [...privateView.tiles, ...(privateView.drawn === null ? [] : [privateView.drawn])] : player.tiles;
  // A tile, a face-down tile (null), or a gap.
  const row: readonly (number | null | "gap")[] = [
    ...(held.length > 0 ? held : Array.from({ length: player.count }, () => null)),
    ...player.melds.flatMap((set) => ["gap" as const, ...tilesSvg(set)]),
  ];
  const begin = 540 - (row.length * HELD) / 2;
  const edge = row.map((one, number) => {
    const x = begin + number * HELD;
    if (one === "gap") return "";
    return one === null ? box(x, EDGE, HELD, colours.back, colours.backEdge) : tile(one, x, EDGE, HELD);
  });
  const flowers = player.flowers.map((id, number) => tile(id, 700 + number * LYING, 930, LYING));
  const name = `${scene.texts.games.mahjong.winds[player.wind]?.slice(0, 1) ?? ""} ${scene.nameAt(seat)} ${player.score}`;
  const label = textSvg(540, 1000, colours.chalk, name, 24);
  return `<g transform="rotate(${-90 * side} 540 540)">${discards.join("")}${edge.join("")}${flowers.join("")}${label}</g>`;
}

/** Return the tiles of a meld; face-down tiles are null. */
function tilesSvg({ form, tiles = [] }: MahjongMeld): readonly (number | null)[] {
  if (form !== "ckong") return tiles;
  return tiles.length === 4 ? [null, tiles[1]!, tiles[2]!, null] : [null, null, null, null];
}

/** Return a tile face as a symbol; colours are attributes, because an image has no style sheet. */
function tileSvg(kind: number, paint: ReturnType<typeof paintOf>): string {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  render(<TileFace kind={kind} />, svg);
  for (const part of svg.querySelectorAll("[class]")) {
    for (const name of part.classList) {
      for (const [attribute, value] of Object.entries(paint[name] ?? {})) part.setAttribute(attribute, value);
    }
    part.removeAttribute("class");
  }
  return `<symbol id="k${kind}" viewBox="0 0 60 80">${svg.innerHTML}</symbol>`;
}

function textSvg(x: number, y: number, colour: string, texts: string, size: number): string {
  const plain = texts.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fonts = "system-ui, 'PingFang TC', 'Noto Sans CJK TC', sans-serif";
  return `<text x="${x}" y="${y}" fill="${colour}" font-size="${size}" font-family="${fonts}" text-anchor="middle">${plain}</text>`;
}
