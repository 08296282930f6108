/** The table as a picture: discards in the middle, hands and sets at the edges, every tile with its own colours. */

import { render } from "preact";
import { painted } from "../../picture";
import type { MahjongSet, Seat } from "../../wire";
import type { Drawing } from "../game";
import { Face } from "./faces";
import type { MahjongScene } from "./names";
import { lying, spacing } from "./pool";
import { around, full, fullOwn, type Full } from "./position";
import { kindOf } from "./tiles";

const IVORY = "#fbf6e6";
const BACK = "#2f8163";
const FELT = "#1d5a45";
const INKS = { red: "#b4211b", green: "#17714a", blue: "#1c4a8a", ink: "#22211d" } as const;
/** What the page's style says about the parts of a face. */
const PAINT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "mj-fill": { fill: "currentColor" },
  "mj-ivory": { fill: IVORY },
  "mj-gold": { fill: "#d79b1e" },
  "mj-stroke": { fill: "none", stroke: "currentColor", "stroke-linecap": "square" },
  "mj-frame": { fill: "none", stroke: "currentColor" },
  "mj-shine": { fill: "none", stroke: "#fff", "stroke-opacity": "0.55", "stroke-width": "1.1", "stroke-linecap": "round" },
  "mj-figure": { fill: "currentColor", "font-size": "15", "font-weight": "700", "font-family": "sans-serif" },
  ...Object.fromEntries(Object.entries(INKS).map(([ink, color]) => [`mj-${ink}`, { color }])),
};

/** The table is drawn on a square of this many units. */
const SIDE = 1080;
/** How wide a tile is with the space beside it, on the table and in a hand. */
const [LYING, HELD] = [33, 42];
/** Where hands stand. */
const EDGE = 1016;
const high = (wide: number) => (wide * 4) / 3;

export const drawing: Drawing<"mahjong"> = async (context, size, scene) => {
  const image = await painted(tableOf(scene));
  context.drawImage(image, 0, 0, size, size);
};

/** Return the whole table as an SVG that needs nothing else. */
export function tableOf(scene: MahjongScene): string {
  const game = scene.position && full(scene.position);
  const kinds = new Set<number>();
  const sides = game ? around(scene.you ?? 0).map((seat, place) => side(scene, game, seat, place, kinds)).join("") : "";
  const middle = game
    ? `<rect x="420" y="420" width="240" height="240" rx="16" fill="#174936"/>` +
      text(540, 520, scene.words.mahjong.round(game.wind, game.place % 4), 25) +
      text(540, 580, String(game.drawable), 44)
    : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 ${SIDE} ${SIDE}">` +
    `<defs>${[...kinds].map(face).join("")}</defs><rect width="${SIDE}" height="${SIDE}" fill="${FELT}"/>${middle}${sides}</svg>`
  );
}

/** What lies before a seat, drawn as if it were ours and then turned. */
function side(scene: MahjongScene, game: Full, seat: Seat, place: number, kinds: Set<number>): string {
  const player = game.players[seat]!;
  const box = (x: number, y: number, wide: number, fill: string, edge: string) =>
    `<rect x="${x}" y="${y}" width="${wide - 2}" height="${high(wide) - 2}" rx="${wide / 8}" fill="${fill}" stroke="${edge}"/>`;
  const tile = (id: number, x: number, y: number, wide: number) => {
    kinds.add(kindOf(id));
    const inner = `x="${x + 2}" y="${y + 2}" width="${wide - 6}" height="${high(wide) - 6}"`;
    return `${box(x, y, wide, IVORY, "#cdbf9c")}<use href="#k${kindOf(id)}" ${inner}/>`;
  };
  const pool = lying(player.discards);
  const space = spacing(pool);
  const thrown = pool.map(({ tile: id, column, row }) =>
    tile(id, 540 - 3.5 * LYING + (row === 2 ? column * space : column) * LYING, 672 + row * high(LYING), LYING));
  const own = seat === scene.you && game.own ? fullOwn(game.own) : null;
  const held = own ? [...own.tiles, ...(own.drawn === null ? [] : [own.drawn])] : player.tiles;
  // A tile, one face down (null), or a gap.
  const row: readonly (number | null | "gap")[] = [
    ...(held.length > 0 ? held : Array.from({ length: player.count }, () => null)),
    ...player.sets.flatMap((set) => ["gap" as const, ...laid(set)]),
  ];
  const begin = 540 - (row.length * HELD) / 2;
  const edge = row.map((one, number) => {
    const x = begin + number * HELD;
    if (one === "gap") return "";
    return one === null ? box(x, EDGE, HELD, BACK, "#1f6049") : tile(one, x, EDGE, HELD);
  });
  const flowers = player.flowers.map((id, number) => tile(id, 700 + number * LYING, 930, LYING));
  const name = `${scene.words.mahjong.winds[player.wind]?.slice(0, 1) ?? ""} ${scene.nameAt(seat)} ${player.score}`;
  const label = text(540, 1000, name, 24);
  return `<g transform="rotate(${-90 * place} 540 540)">${thrown.join("")}${edge.join("")}${flowers.join("")}${label}</g>`;
}

/** Return the tiles of a set; those that lie face down are null. */
function laid({ form, tiles = [] }: MahjongSet): readonly (number | null)[] {
  if (form !== "ckong") return tiles;
  return tiles.length === 4 ? [null, tiles[1]!, tiles[2]!, null] : [null, null, null, null];
}

/** Return a kind's face as a symbol; colours come from attributes, because a picture has no style sheet. */
function face(kind: number): string {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  render(<Face kind={kind} />, svg);
  for (const part of svg.querySelectorAll("[class]")) {
    for (const name of part.classList) {
      for (const [attribute, value] of Object.entries(PAINT[name] ?? {})) part.setAttribute(attribute, value);
    }
    part.removeAttribute("class");
  }
  return `<symbol id="k${kind}" viewBox="0 0 60 80">${svg.innerHTML}</symbol>`;
}

function text(x: number, y: number, words: string, size: number): string {
  const plain = words.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const fonts = "system-ui, 'PingFang TC', 'Noto Sans CJK TC', sans-serif";
  return `<text x="${x}" y="${y}" fill="#f3ead4" font-size="${size}" font-family="${fonts}" text-anchor="middle">${plain}</text>`;
}
