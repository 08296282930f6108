/** Finds every game: each folder beside this file is one; others are loaded at run time. */

import type { GameName } from "../net/protocol";
import type { GameParts, OwnGameParts } from "./gameInterface";
import { outsideGames } from "./outsideGames";

const modules = import.meta.glob<OwnGameParts<GameName>>("./*/index.{ts,tsx}", { eager: true, import: "game" });

const own = new Map(
  Object.entries(modules)
    .map(([path, game]) => [path.split("/")[1]!, game] as const)
    .sort(([, one], [, other]) => one.order - other.order),
);

/** Names of the games whose folders are in the page. */
export const OWN_GAMES: readonly string[] = [...own.keys()];

/** Tell whether a game has lessons; those whose folders are in the page all do. */
export function hasLessons(game: string): boolean {
  return own.has(game) || outsideGames.value.get(game)?.game.lessons !== undefined;
}

/** Return the parts of a game; undefined if the page does not have it, or not yet. */
export function partsOf(game: string): GameParts<GameName> | undefined {
  return own.get(game) ?? outsideGames.value.get(game)?.game;
}

/** Return every game that the page has now, with its name. */
export function allGames(): readonly (readonly [name: string, parts: GameParts<GameName>])[] {
  return [...own, ...[...outsideGames.value].map(([name, { game }]) => [name, game] as const)];
}
