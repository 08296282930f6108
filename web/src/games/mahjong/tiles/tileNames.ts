/** Names of tiles, winds and players. */

import type { Texts } from "../../../i18n/types";
import type { Seat } from "../../../net/protocol";
import type { Scene } from "../../gameInterface";
import type { FullPosition } from "../position";
import { kindOf } from "./tiles";

export type MahjongScene = Scene<"mahjong">;

export function tileName(tile: number, { games: { mahjong } }: Texts): string {
  return mahjong.tiles[kindOf(tile)] ?? "";
}

export function tileNames(tiles: readonly number[], texts: Texts): string {
  return tiles.map((tile) => tileName(tile, texts)).join(texts.games.mahjong.comma);
}

/** Return the name of a seat by its wind: 南家. */
export function windName(position: FullPosition, seat: Seat, { games: { mahjong } }: Texts): string {
  return mahjong.players[position.players[seat]?.wind ?? 0] ?? "";
}

/** Return a player by wind and name. */
export function playerLabel({ texts, nameAt }: MahjongScene, position: FullPosition, seat: Seat): string {
  return `${windName(position, seat, texts)} ${nameAt(seat)}`;
}

/** Return the round: 東風南局 連一拉一. */
export function roundText({ wind, place, streak }: FullPosition, { games: { mahjong } }: Texts): string {
  const round = mahjong.round(wind, place % 4);
  return streak ? `${round} · ${mahjong.streak(streak)}` : round;
}
