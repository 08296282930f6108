/** The texts of a table in the present language. */

import { computed } from "@preact/signals";
import { language, type Language } from "../..";
import { tableEn } from "./en";
import type { TableWords } from "./words";
import { tableZhHans } from "./zh-hans";
import { tableZhHant } from "./zh-hant";

export const TEXTS: Record<Language, TableWords> = { "zh-Hant": tableZhHant, "zh-Hans": tableZhHans, en: tableEn };

export const text = computed<TableWords>(() => TEXTS[language.value]);
