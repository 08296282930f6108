/** The opened record; it never leaves the browser. */

import { signal } from "@preact/signals";
import { allGames } from "../games/gameRegistry";
import type { GameParts, Problem, NotationGame } from "../games/gameInterface";
import type { Texts } from "../i18n/types";
import type { GameName } from "../net/protocol";

/** Maximum length of a text. */
export const MAX_LENGTH = 2_000_000;

export interface OpenedRecord {
  game: string;
  parts: GameParts<GameName>;
  games: readonly NotationGame<GameName>[];
}

export const openedRecord = signal<OpenedRecord | null>(null);

/** Open a text if it contains a game; otherwise return the problem. */
export async function openRecord(typed: string): Promise<Problem | null> {
  const text = typed.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const wrong = (pick: (texts: Texts["replay"]["errors"]) => string): Problem => ({ message: ({ replay }) => pick(replay.errors) });
  if (!text.trim()) return wrong(({ nothing }) => nothing);
  if (text.length > MAX_LENGTH) return wrong(({ tooLarge }) => tooLarge);
  const found = allGames().find(([, { notationReader }]) => notationReader?.matches(text));
  if (found === undefined) return wrong(({ unknown }) => unknown);
  let games: readonly NotationGame<GameName>[];
  try {
    games = (await found[1].notationReader!.load())(text);
  } catch {
    return wrong(({ loadFailed }) => loadFailed);
  }
  const [only, second] = games;
  if (only === undefined) return wrong(({ empty }) => empty);
  const first = second === undefined ? only.read() : null;
  if (first && "message" in first) return first;
  openedRecord.value = { game: found[0], parts: found[1], games };
  return null;
}
