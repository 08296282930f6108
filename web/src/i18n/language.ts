/** The current language: detected or chosen, and its texts. */

import { computed, signal } from "@preact/signals";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "./languages";
import { loadTexts } from "./loadTexts";
import { outsideTexts } from "./outsideTexts";
import type { OutcomeView } from "../net/protocol";
import type { BaseGameTexts, Texts } from "./types";
import type { BotName, BotTexts, NoResult, Reason } from "./types/table";

const KEY = "qipai.language";
/** Milliseconds between two attempts to load a language. */
const RETRY_AFTER = 2_000;

/** Language and texts change together. */
const loaded = signal<{ language: Language; texts: Texts } | null>(null);

export const language = computed<Language>(() => loaded.value?.language ?? DEFAULT_LANGUAGE);

/** The texts of the current language; `startLanguage` must have finished. */
export const texts = computed<Texts>(() => {
  const page = loaded.value!.texts;
  return { ...page, games: { ...page.games, ...outsideTexts.value } };
});

/** Return the language for the tags that a browser asks for, best first. */
export function pickLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split("-");
    const scores = (Object.keys(LANGUAGES) as Language[]).map((one) => [one, matchScore(LANGUAGES[one].browser, parts)] as const);
    const [best, score] = scores.reduce((one, other) => (other[1] > one[1] ? other : one));
    if (score > 0) return best;
  }
  return DEFAULT_LANGUAGE;
}

/** Return how well the best of some tags matches a browser's tag; a script counts more than a region. */
function matchScore(tags: readonly string[], wanted: readonly string[]): number {
  const scores = tags.map((tag) => {
    const [first, ...rest] = tag.toLowerCase().split("-");
    if (first !== wanted[0] || !rest.every((part) => wanted.includes(part))) return 0;
    return rest.reduce((sum, part) => sum + (part.length === 4 ? 3 : 2), 1);
  });
  return Math.max(...scores);
}

/** Load the language chosen before, or the browser's. */
export async function startLanguage(): Promise<void> {
  const chosen = localStorage.getItem(KEY);
  await setLanguage(chosen !== null && chosen in LANGUAGES ? (chosen as Language) : pickLanguage(navigator.languages));
}

/** Switch to a language and remember it. */
export function chooseLanguage(wanted: Language): void {
  localStorage.setItem(KEY, wanted);
  void setLanguage(wanted);
}

/** Switch to a language as soon as its texts are loaded. */
export async function setLanguage(wanted: Language): Promise<void> {
  for (;;) {
    try {
      loaded.value = { language: wanted, texts: await loadTexts(wanted) };
      break;
    } catch (error) {
      if (!import.meta.env.PROD) throw error;
      await new Promise((done) => setTimeout(done, RETRY_AFTER));
    }
  }
  if (typeof document !== "undefined") document.documentElement.lang = wanted;
}

function gameTexts(): Readonly<Record<string, BaseGameTexts>> {
  return texts.value.games as unknown as Readonly<Record<string, BaseGameTexts>>;
}

/** Return a game's name; an unknown game keeps its own. */
export function gameName(game: string): string {
  return gameTexts()[game]?.name ?? game;
}

/** Return the name and level of a game's bot; an unknown bot keeps its own name. */
export function botTexts(game: string, bot: string): BotTexts {
  return gameTexts()[game]?.bots?.[bot] ?? texts.value.bots[bot as BotName] ?? { name: bot, level: "" };
}

/** What the server calls everybody whose account was deleted. */
const DELETED_PLAYER = "Deleted player";

/** Return a name as it is shown: somebody whose account was deleted has none of their own. */
export const shownName = (name: string): string => (name === DELETED_PLAYER ? texts.value.playerName.deleted : name);

/** Return names as a list in a sentence. */
export function nameList(names: readonly string[]): string {
  return new Intl.ListFormat(language.value).format(names);
}

/** Return who won, as a sentence. */
export function winText(names: readonly string[]): string {
  const { outcome } = texts.value;
  if (names.length === 0) return outcome.draw;
  return names.length === 1 ? outcome.wins(names[0]!) : outcome.allWin(nameList(names));
}

/** Tell whether a game of more than two players ended early: a person gave up, and only bots count as winners. `bots`: by seat. */
export function endedEarly({ winners, reason }: OutcomeView, bots: readonly (string | null | undefined)[]): boolean {
  return (reason === "left" || reason === "resigned") && bots.length > 2 && winners.every((seat) => bots[seat]);
}

/** Return the result of a game as a sentence; `who` is the part that names the winners. */
export function resultText(game: string, who: string, hasWinner: boolean, reason: string): string {
  const { outcome } = texts.value;
  if (!hasWinner && reason in outcome.noResult) return outcome.noResult[reason as NoResult];
  const why = reasonText(game, reason);
  return why ? outcome.because(who, why) : who;
}

/** Return why a game ended; empty for an unknown reason. */
export function reasonText(game: string, reason: string): string {
  return gameTexts()[game]?.reasons?.[reason] ?? texts.value.outcome.reason[reason as Reason] ?? "";
}
