/** The texts of the lobby in the present language. */

import { computed } from "@preact/signals";
import { language, type Language } from "..";
import { lobbyEn } from "./en";
import type { LobbyWords } from "./words";
import { lobbyZhHans } from "./zh-hans";
import { lobbyZhHant } from "./zh-hant";

export const TEXTS: Record<Language, LobbyWords> = { "zh-Hant": lobbyZhHant, "zh-Hans": lobbyZhHans, en: lobbyEn };

export const text = computed<LobbyWords>(() => TEXTS[language.value]);
