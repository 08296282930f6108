/** What a table says about itself, in the present language. */

import { computed } from "@preact/signals";
import { language, type Language } from "..";
import { roomEn } from "./en";
import type { RoomWords } from "./words";
import { roomZhHans } from "./zh-hans";
import { roomZhHant } from "./zh-hant";

export const TEXTS: Record<Language, RoomWords> = { "zh-Hant": roomZhHant, "zh-Hans": roomZhHans, en: roomEn };

export const text = computed<RoomWords>(() => TEXTS[language.value]);
