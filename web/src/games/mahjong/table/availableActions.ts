/** Claims and actions available now, in order, with their keys. */

import type { Games } from "../../../net/protocol";
import { kindOf } from "../tiles/tiles";
import type { FullPosition, FullPrivateView } from "../position";

export type Move = Games["mahjong"]["move"];
export type ActionName = "hu" | "kong" | "pong" | "chow" | "pass";

export interface AvailableAction {
  action: ActionName;
  /** The variants; if there are several, the user chooses. */
  variants: readonly ActionVariant[];
}

export interface ActionVariant {
  move: Move;
  /** Tiles of the resulting meld; empty if there is nothing to show. */
  tiles: readonly number[];
}

/** Keys of the actions, by physical position. */
export const ACTION_KEYS: Readonly<Record<string, ActionName>> = { KeyH: "hu", KeyK: "kong", KeyP: "pong", KeyC: "chow", KeyX: "pass" };
export const KEY_OF: Readonly<Record<ActionName, string>> = { hu: "H", kong: "K", pong: "P", chow: "C", pass: "X" };

/** Return the possible calls on a discard, without pass. */
export function availableClaims(privateView: FullPrivateView, tile: number | null): readonly AvailableAction[] {
  const found: AvailableAction[] = [];
  const mine = (count: number) =>
    tile === null ? [] : [...privateView.tiles.filter((one) => kindOf(one) === kindOf(tile)).slice(0, count), tile];
  if (privateView.hu) found.push({ action: "hu", variants: [{ move: { do: "hu" }, tiles: [] }] });
  if (privateView.kong) found.push({ action: "kong", variants: [{ move: { do: "kong" }, tiles: mine(3) }] });
  if (privateView.pong) found.push({ action: "pong", variants: [{ move: { do: "pong" }, tiles: mine(2) }] });
  const chows = privateView.chows.map((pair) => ({
    move: { do: "chow", tiles: pair } as const,
    tiles: (tile === null ? [...pair] : [...pair, tile]).sort((one, other) => one - other),
  }));
  if (chows.length) found.push({ action: "chow", variants: chows });
  return found;
}

/** Return the possible actions besides discarding. */
export function availableActions({ stage, tile }: FullPosition, privateView: FullPrivateView): readonly AvailableAction[] {
  if (stage === "claiming") {
    const claims = availableClaims(privateView, tile);
    return claims.length ? [...claims, { action: "pass", variants: [{ move: { do: "pass" }, tiles: [] }] }] : [];
  }
  if (stage !== "discarding") return [];
  const kongs = privateView.kongs.map((one) => ({ move: { do: "kong", tile: one } as const, tiles: [one] }));
  return [
    ...(privateView.hu ? [{ action: "hu", variants: [{ move: { do: "hu" }, tiles: [] }] } as const] : []),
    ...(kongs.length ? [{ action: "kong", variants: kongs } as const] : []),
  ];
}

/** Return the actions that the user is asked about: none on a discard that is passed automatically. */
export function offeredActions(position: FullPosition, privateView: FullPrivateView, actions: AutoActions): readonly AvailableAction[] {
  const passes = position.stage === "claiming" && actions.noCalls && !privateView.hu;
  return passes ? [] : availableActions(position, privateView);
}

export interface AutoActions {
  /** Pass every call except a win. */
  noCalls: boolean;
  /** Discard every drawn tile, unless it wins. */
  autoDiscard: boolean;
}

/** Return the automatic move, if any; `mine`: the user may move. */
export function automaticMove(position: FullPosition, privateView: FullPrivateView, mine: boolean, actions: AutoActions): Move | null {
  if (!mine) return null;
  if (position.stage === "claiming") {
    if (privateView.answer !== null) return null;
    const claims = availableClaims(privateView, position.tile);
    return claims.length === 0 || (actions.noCalls && !privateView.hu) ? { do: "pass" } : null;
  }
  if (position.stage === "discarding" && actions.autoDiscard && privateView.drawn !== null && !privateView.hu) {
    return { do: "discard", tile: privateView.drawn };
  }
  return null;
}
