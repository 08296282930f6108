/** What tiles and players are called. */

import type { Words } from "../../i18n/words";
import type { Seat } from "../../wire";
import type { Scene } from "../game";
import type { Full } from "./position";
import { kindOf } from "./tiles";

export type MahjongScene = Scene<"mahjong">;

export function tileName(tile: number, { mahjong }: Words): string {
  return mahjong.tiles[kindOf(tile)] ?? "";
}

export function tileNames(tiles: readonly number[], words: Words): string {
  return tiles.map((tile) => tileName(tile, words)).join(words.mahjong.comma);
}

/** Return what a seat is called by its wind: 南家. */
export function windName(position: Full, seat: Seat, { mahjong }: Words): string {
  return mahjong.players[position.players[seat]?.wind ?? 0] ?? "";
}

/** Return who is meant, by wind as at a real table, and by name. */
export function whoIs({ words, nameAt }: MahjongScene, position: Full, seat: Seat): string {
  return `${windName(position, seat, words)} ${nameAt(seat)}`;
}

/** Return where in the game a hand is: 東風南局 連一拉一. */
export function headingOf({ wind, place, streak }: Full, { mahjong }: Words): string {
  const round = mahjong.round(wind, place % 4);
  return streak ? `${round} · ${mahjong.streak(streak)}` : round;
}
