/** Loads the lessons of games and their texts, in the current language. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { allGames, hasLessons, partsOf } from "../games/gameRegistry";
import { language } from "../i18n/language";
import { loadLanguage } from "./languageFile";
import type { AnyLessons, LessonTexts } from "./lessonTypes";
import type { LearnTexts } from "./texts/types";

/** Milliseconds between two attempts. */
const RETRY_AFTER = 2_000;

const FILES = import.meta.glob<LearnTexts>(["./texts/*.ts", "!./texts/types.ts", "../i18n/*/lessons/learn.ts"], { import: "texts" });

const OWN_LESSONS = import.meta.glob<AnyLessons>("../games/*/learn/index.ts", { import: "lessons" });

/** Lessons with their texts. */
export interface LoadedLessons {
  lessons: AnyLessons;
  lesson: LessonTexts;
}

/** Lessons that are loaded, with their texts in the language that `learn` is in. */
export interface Loaded {
  learn: LearnTexts;
  games: ReadonlyMap<string, LoadedLessons>;
}

/** Return the names of the games that have lessons. */
export function gamesWithLessons(): readonly string[] {
  return allGames().map(([name]) => name).filter(hasLessons);
}

/** Load the lessons of a game, without its texts. */
export function lessonsOf(game: string): Promise<AnyLessons> {
  return (OWN_LESSONS[`../games/${game}/learn/index.ts`] ?? partsOf(game)!.lessons!)();
}

async function load(games: readonly string[], tag: string): Promise<Loaded> {
  const learn = loadLanguage(FILES, tag);
  const found = games.map(async (game) => {
    const lessons = await lessonsOf(game);
    return [game, { lessons, lesson: await lessons.loadTexts(tag) }] as const;
  });
  return { learn: await learn, games: new Map(await Promise.all(found)) };
}

/** Hook: the lessons of these games; null until they are loaded. After a change of language the earlier texts stay meanwhile. */
export function useLessons(games: readonly string[]): Loaded | null {
  const key = games.join(" ");
  const tag = language.value.toLowerCase();
  const loaded = useSignal<(Loaded & { key: string }) | null>(null);
  useEffect(() => {
    let wanted = true;
    const attempt = (): void =>
      void load(key.split(" ").filter(Boolean), tag).then(
        (found) => wanted && (loaded.value = { ...found, key }),
        // The connection may be down.
        () => wanted && setTimeout(attempt, RETRY_AFTER),
      );
    attempt();
    return () => void (wanted = false);
  }, [key, tag]);
  return loaded.value?.key === key ? loaded.value : null;
}
