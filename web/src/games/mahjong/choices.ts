/** What we may do now, as buttons: claims in their order, and moves of our own turn. */

import type { Games } from "../../wire";
import { kindOf } from "./tiles";
import type { Full, FullOwn } from "./position";

export type Move = Games["mahjong"]["move"];
export type Deed = "hu" | "kong" | "pong" | "chow" | "pass";

export interface Choice {
  deed: Deed;
  /** The ways to do it; more than one are asked about. */
  ways: readonly Way[];
}

export interface Way {
  move: Move;
  /** The tiles of the set it would make; empty where there is nothing to show. */
  tiles: readonly number[];
}

/** The keys of the deeds, by where they are on a keyboard, whatever is written on them. */
export const KEYS: Readonly<Record<string, Deed>> = { KeyH: "hu", KeyK: "kong", KeyP: "pong", KeyC: "chow", KeyX: "pass" };
export const KEY_OF: Readonly<Record<Deed, string>> = { hu: "H", kong: "K", pong: "P", chow: "C", pass: "X" };

/** Return everything but passing that we may answer to another's tile. */
export function claimsOf(own: FullOwn, tile: number | null): readonly Choice[] {
  const found: Choice[] = [];
  const mine = (count: number) =>
    tile === null ? [] : [...own.tiles.filter((one) => kindOf(one) === kindOf(tile)).slice(0, count), tile];
  if (own.hu) found.push({ deed: "hu", ways: [{ move: { do: "hu" }, tiles: [] }] });
  if (own.kong) found.push({ deed: "kong", ways: [{ move: { do: "kong" }, tiles: mine(3) }] });
  if (own.pong) found.push({ deed: "pong", ways: [{ move: { do: "pong" }, tiles: mine(2) }] });
  const chows = own.chows.map((pair) => ({
    move: { do: "chow", tiles: pair } as const,
    tiles: (tile === null ? [...pair] : [...pair, tile]).sort((one, other) => one - other),
  }));
  if (chows.length) found.push({ deed: "chow", ways: chows });
  return found;
}

/** Return what we may do now besides discarding: claims with passing, or what an own turn allows. */
export function choicesOf({ stage, tile }: Full, own: FullOwn): readonly Choice[] {
  if (stage === "claiming") {
    const claims = claimsOf(own, tile);
    return claims.length ? [...claims, { deed: "pass", ways: [{ move: { do: "pass" }, tiles: [] }] }] : [];
  }
  if (stage !== "discarding") return [];
  const kongs = own.kongs.map((one) => ({ move: { do: "kong", tile: one } as const, tiles: [one] }));
  return [
    ...(own.hu ? [{ deed: "hu", ways: [{ move: { do: "hu" }, tiles: [] }] } as const] : []),
    ...(kongs.length ? [{ deed: "kong", ways: kongs } as const] : []),
  ];
}

export interface Habits {
  /** Pass everything but a win. */
  passing: boolean;
  /** Discard what was drawn, unless it wins. */
  discarding: boolean;
}

/** Return the move that the page makes by itself, if any; `mine`: it is ours to move. */
export function automatic(position: Full, own: FullOwn, mine: boolean, habits: Habits): Move | null {
  if (!mine) return null;
  if (position.stage === "claiming") {
    if (own.vote !== null) return null;
    const claims = claimsOf(own, position.tile);
    return claims.length === 0 || (habits.passing && !own.hu) ? { do: "pass" } : null;
  }
  if (position.stage === "discarding" && habits.discarding && own.drawn !== null && !own.hu) {
    return { do: "discard", tile: own.drawn };
  }
  return null;
}
