/** Automatic actions (draw, pass, win) and display settings. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MahjongPosition } from "../../net/protocol";
import { automaticMove, type AutoActions } from "./table/availableActions";
import type { MahjongScene } from "./tiles/tileNames";
import { fullPosition, fullPrivateView, isHandOver, type FullPosition, type FullPrivateView } from "./position";

const KEY = "qipai.mahjong";
const NO_AUTO_ACTIONS: AutoActions = { noCalls: false, autoDiscard: false };
/** Milliseconds before an automatic discard, so that the tile can be seen. */
const ACTION_DELAY = 600;

/** Return a random delay before an automatic pass; a fixed one would reveal it to the others. */
export const actionDelay = (chance: number = Math.random()): number => 200 + 500 * chance;

export interface DisplaySettings {
  hints: boolean;
  /** Whether drawn tiles are shown at once; otherwise they stay face down. */
  autoDraw: boolean;
}

const DEFAULT_DISPLAY: DisplaySettings = { hints: true, autoDraw: true };

/** They end with the hand, so that they are not left on by accident. */
export const autoActions = signal(NO_AUTO_ACTIONS);

export const displaySettings = signal<DisplaySettings>(loadDisplay());

function loadDisplay(): DisplaySettings {
  try {
    return { ...DEFAULT_DISPLAY, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<DisplaySettings>) };
  } catch {
    return DEFAULT_DISPLAY;
  }
}

/** Change the display settings and remember them. */
export function changeDisplay(some: Partial<DisplaySettings>): void {
  displaySettings.value = { ...displaySettings.value, ...some };
  localStorage.setItem(KEY, JSON.stringify(displaySettings.value));
}

/** Tell whether the next move of the user is automatic. */
export function movesItself(position: MahjongPosition): boolean {
  const game = fullPosition(position);
  return game.private !== null && automaticMove(game, fullPrivateView(game.private), true, autoActions.peek()) !== null;
}

/** Hook: makes automatic moves. */
export function useAutoActions(scene: MahjongScene, game: FullPosition | null, privateView: FullPrivateView | null): void {
  const over = game === null || isHandOver(game);
  useEffect(() => {
    if (over) autoActions.value = NO_AUTO_ACTIONS;
  }, [over]);
  const move = game && privateView ? automaticMove(game, privateView, scene.mayMove, autoActions.value) : null;
  // The same move for another tile is a new move.
  const moment = move && game ? JSON.stringify([scene.room.match, game.place, game.streak, game.left, game.tile, move]) : "";
  useEffect(() => {
    if (!move) return;
    const timer = setTimeout(() => scene.play(move), move.do === "discard" ? ACTION_DELAY : actionDelay());
    return () => clearTimeout(timer);
  }, [moment]);
}
