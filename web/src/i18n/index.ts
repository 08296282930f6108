/** Which language the page speaks: the reader's own, or the one he chose. */

import { computed, signal } from "@preact/signals";
import { en } from "./en";
import type { BotName, Reason, Words } from "./words";
import { zhHans } from "./zh-hans";
import { zhHant } from "./zh-hant";
import type { GameName } from "../wire";

export const LANGUAGES = { "zh-Hant": zhHant, "zh-Hans": zhHans, en } as const satisfies Record<string, Words>;
export type Language = keyof typeof LANGUAGES;

const KEY = "qipai.language";

/** Return the language for what a browser asks for, best first. */
export function pick(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const [language, ...rest] = tag.toLowerCase().split("-");
    if (language === "en") return "en";
    if (language !== "zh" && language !== "yue") continue;
    if (rest.includes("hans")) return "zh-Hans";
    const traditional = ["hant", "tw", "hk", "mo"].some((part) => rest.includes(part));
    return traditional || language === "yue" ? "zh-Hant" : "zh-Hans";
  }
  return "en";
}

export const language = signal<Language>("en");

/** The texts of the present language. */
export const words = computed<Words>(() => LANGUAGES[language.value]);

/** Speak the language chosen before, or the browser's. */
export function startLanguage(): void {
  const chosen = localStorage.getItem(KEY);
  speak(chosen !== null && chosen in LANGUAGES ? (chosen as Language) : pick(navigator.languages));
}

/** Speak a language because the reader asked for it. */
export function choose(wanted: Language): void {
  localStorage.setItem(KEY, wanted);
  speak(wanted);
}

function speak(wanted: Language): void {
  language.value = wanted;
  document.documentElement.lang = wanted;
}

/** Return a game's name; an unknown one keeps its own. */
export function gameName(game: string): string {
  return words.value.games[game as GameName] ?? game;
}

/** Return a bot's friendly name and level; an unknown one keeps its own name. */
export function botCard(bot: string): { name: string; level: string } {
  return words.value.bots[bot as BotName] ?? { name: bot, level: "" };
}

/** Return names as one names them in a sentence. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(language.value).format(names);
}

/** Return who won, in a sentence. */
export function winText(names: readonly string[]): string {
  const { outcome } = words.value;
  if (names.length === 0) return outcome.draw;
  return names.length === 1 ? outcome.wins(names[0]!) : outcome.allWin(listed(names));
}

/** Return why a game ended, or nothing for a reason this page does not know. */
export function reasonText(reason: string): string {
  return words.value.outcome.reason[reason as Reason] ?? "";
}
