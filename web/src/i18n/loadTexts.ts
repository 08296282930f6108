/** Loads all texts of a language from its folder. */

import type { Language } from "./languages";
import type { Texts } from "./types";

const FOLDERS = import.meta.glob<Texts>(["./*/index.ts", "!./types/index.ts"], { import: "texts" });

/** Return the texts of a language. */
export function loadTexts(language: Language): Promise<Texts> {
  return FOLDERS[`./${language.toLowerCase()}/index.ts`]!();
}
