/** What the page does by itself, and what the reader wants to see. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { automatic, type Habits } from "./choices";
import type { MahjongScene } from "./names";
import { isOver, type Full, type FullOwn } from "./position";

const KEY = "qipai.mahjong";
const IDLE: Habits = { passing: false, discarding: false };
/** Milliseconds in which eyes follow a tile, before the page goes on by itself. */
const PAUSE = 600;

/** Return how long the page waits before it passes: always the same would tell the others that it was the page. */
export const hesitation = (chance: number = Math.random()): number => 200 + 500 * chance;

export interface Shown {
  hints: boolean;
  /** A drawn tile comes open; else it waits to be taken. */
  drawing: boolean;
  /** Signs in the corners of tiles; without a choice only where they are needed. */
  signs?: boolean;
}

const USUAL: Shown = { hints: true, drawing: true };

/** They end with the hand, so that nobody plays on by accident. */
export const habits = signal(IDLE);

export const shown = signal<Shown>(remembered());

function remembered(): Shown {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Shown>) };
  } catch {
    return USUAL;
  }
}

/** Show or hide something, today and next time. */
export function show(some: Partial<Shown>): void {
  shown.value = { ...shown.value, ...some };
  localStorage.setItem(KEY, JSON.stringify(shown.value));
}

/** Make the moves that need no decision. */
export function useAutomatic(scene: MahjongScene, game: Full | null, own: FullOwn | null): void {
  const over = game === null || isOver(game);
  useEffect(() => {
    if (over) habits.value = IDLE;
  }, [over]);
  const move = game && own ? automatic(game, own, scene.mayMove, habits.value) : null;
  // The same answer to another tile is another one.
  const moment = move && game ? JSON.stringify([scene.room.match, game.place, game.streak, game.left, game.tile, move]) : "";
  useEffect(() => {
    if (!move) return;
    const timer = setTimeout(() => scene.play(move), move.do === "discard" ? PAUSE : hesitation());
    return () => clearTimeout(timer);
  }, [moment]);
}
