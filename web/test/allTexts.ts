/** The texts of all languages, for tests that compare them. */

import { LANGUAGES, type Language } from "../src/i18n/languages";
import { loadTexts } from "../src/i18n/loadTexts";
import type { Texts } from "../src/i18n/types";

const tags = Object.keys(LANGUAGES) as Language[];
const loaded = await Promise.all(tags.map(async (tag) => [tag, await loadTexts(tag)] as const));

export const TEXTS = Object.fromEntries(loaded) as Record<Language, Texts>;
