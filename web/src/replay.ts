/** The record that is being looked at; it never leaves the browser. */

import { signal } from "@preact/signals";
import { GAMES } from "./games/boards";
import type { Problem, Written } from "./games/game";
import type { Words } from "./i18n/words";
import type { GameName } from "./wire";

/** Letters of a text, at the most. */
export const LONGEST = 2_000_000;

export interface Opened {
  game: GameName;
  games: readonly Written<GameName>[];
}

export const opened = signal<Opened | null>(null);

/** Open a text if there is a game in it; otherwise return what is wrong. */
export async function openRecord(typed: string): Promise<Problem | null> {
  const text = typed.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const wrong = (pick: (texts: Words["replay"]["wrong"]) => string): Problem => ({ says: ({ replay }) => pick(replay.wrong) });
  if (!text.trim()) return wrong(({ nothing }) => nothing);
  if (text.length > LONGEST) return wrong(({ large }) => large);
  const game = (Object.keys(GAMES) as GameName[]).find((name) => GAMES[name].records?.looks(text));
  if (game === undefined) return wrong(({ unknown }) => unknown);
  let games: readonly Written<GameName>[];
  try {
    games = (await GAMES[game].records!.reader())(text);
  } catch {
    return wrong(({ line }) => line);
  }
  const [only, second] = games;
  if (only === undefined) return wrong(({ empty }) => empty);
  const first = second === undefined ? only.read() : null;
  if (first && "says" in first) return first;
  opened.value = { game, games };
  return null;
}
