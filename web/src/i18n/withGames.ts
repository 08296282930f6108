/** Joins the texts of the page with those of the games in the same language. */

import type { GameTexts, PageTexts, Texts } from "./types";

/** `games`: texts by path, from `games/<game>/texts/` or from `games/` in the folder of the language. */
export function withGames(page: PageTexts, games: Readonly<Record<string, object>>): Texts {
  const byGame = Object.entries(games).map(([path, texts]) => [gameOf(path), texts]);
  return { ...page, games: Object.fromEntries(byGame) as GameTexts };
}

function gameOf(path: string): string {
  return /\/([^/]+)\/texts\/[^/]+\.ts$/.exec(path)?.[1] ?? /([^/]+)\.ts$/.exec(path)![1]!;
}
