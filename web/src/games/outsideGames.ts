/** Games from outside: packages beside the server, whose web modules are loaded at run time. */

import { signal } from "@preact/signals";
import type { GameModule } from "./gameInterface";

/** The loaded modules by the names of their games. */
export const outsideGames = signal<ReadonlyMap<string, GameModule>>(new Map());

/** Games that could not be loaded. */
export const failedGames = signal<ReadonlySet<string>>(new Set());

/** Games that a part of the page has asked for. */
export const requestedGames = signal<ReadonlySet<string>>(new Set());

/** Ask for a game, for example for its replay; it is loaded if the server has a module for it. */
export function requestGame(game: string): void {
  if (!requestedGames.peek().has(game)) requestedGames.value = new Set([...requestedGames.peek(), game]);
}

/** Forget that a game could not be loaded, so that it is loaded again. */
export function retryGame(game: string): void {
  failedGames.value = new Set([...failedGames.peek()].filter((name) => name !== game));
}
