/** Finds every game: each folder beside this file is one. */

import type { GameName } from "../net/protocol";
import type { GameParts } from "./gameInterface";

const modules = import.meta.glob<GameParts<GameName>>("./*/index.{ts,tsx}", { eager: true, import: "game" });

const found = Object.entries(modules)
  .map(([path, game]) => [path.split("/")[1]!, game] as const)
  .sort(([, one], [, other]) => one.order - other.order);

/** All games by name. */
export const GAMES = Object.fromEntries(found) as Record<GameName, GameParts<GameName>>;

/** Return a game's parts, or undefined for a game that this page does not have. */
export function partsOf(game: string): GameParts<GameName> | undefined {
  return game in GAMES ? GAMES[game as GameName] : undefined;
}
