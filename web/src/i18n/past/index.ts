/** The texts of the list of finished games in the present language. */

import { computed } from "@preact/signals";
import { language, type Language } from "..";
import { pastEn } from "./en";
import type { PastWords } from "./words";
import { pastZhHans } from "./zh-hans";
import { pastZhHant } from "./zh-hant";

export const TEXTS: Record<Language, PastWords> = { "zh-Hant": pastZhHant, "zh-Hans": pastZhHans, en: pastEn };

export const text = computed<PastWords>(() => TEXTS[language.value]);
