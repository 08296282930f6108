/** Loads all texts of a language from its folder. */

import type { Language } from "./languages";
// Every language needs it; this keeps it in the file that is loaded first.
import "./withGames";
import type { Texts } from "./types";

const FOLDERS = import.meta.glob<Texts>(["./*/index.ts", "!./types/index.ts"], { import: "texts" });

/** Return the texts of a language. */
export function loadTexts(language: Language): Promise<Texts> {
  return FOLDERS[`./${language.toLowerCase()}/index.ts`]!();
}
