/** Loads the module, stylesheet and texts of a game from outside. */

import { batch } from "@preact/signals";
import { language } from "../i18n/language";
import { DEFAULT_LANGUAGE } from "../i18n/languages";
import { outsideTexts } from "../i18n/outsideTexts";
import type { BaseGameTexts } from "../i18n/types";
import type { GameModule, GameParts } from "./gameInterface";
import { withoutErrors } from "./outsideGameErrors";
import { failedGames, outsideGames } from "./outsideGames";
import { loadSharedModules } from "./sharedModules";
import type { GameName } from "../net/protocol";

/** Fields of a game without which the page cannot show it. */
const REQUIRED = [
  "Board", "Badge", "Score", "Icon", "LobbyPicture", "boardDrawing", "usesRandomness", "offerKinds", "possibleOffers", "heading", "status", "announce",
] as const satisfies readonly (keyof GameParts<GameName>)[];

/** Imported modules, also of games whose texts or styles failed. */
const modules = new Map<string, GameModule>();
/** The language of each request for texts. */
const requests = new Map<string, string>();
const attempts = new Map<string, number>();

/** Load a game, or its texts if only the language is new; `onLoaded` is called once the page can show the game. */
export async function loadOutsideGame(game: string, url: string, onLoaded: (game: string) => void): Promise<void> {
  const tag = language.peek().toLowerCase();
  if (requests.get(game) === tag) return;
  requests.set(game, tag);
  try {
    const [module, texts] = await Promise.all([importModule(game, url), fetchTexts(url, tag), loadSharedModules()]);
    // The language may have changed meanwhile.
    if (requests.get(game) !== tag) return;
    const first = !outsideGames.peek().has(game);
    batch(() => {
      outsideTexts.value = { ...outsideTexts.peek(), [game]: texts };
      if (first) outsideGames.value = new Map([...outsideGames.peek(), [game, module]]);
    });
    if (first) onLoaded(game);
  } catch (error) {
    console.warn(`The game ${game} could not be loaded:`, error);
    markAsFailed(game);
  }
}

/** Take a game out of the page; it is loaded again when the user asks for it. */
function markAsFailed(game: string): void {
  requests.delete(game);
  batch(() => {
    outsideGames.value = new Map([...outsideGames.peek()].filter(([name]) => name !== game));
    failedGames.value = new Set([...failedGames.peek(), game]);
  });
}

/** Take out a game that has thrown an error; not at once, because the page may be rendering. */
function onGameError(game: string, error: unknown): void {
  queueMicrotask(() => {
    if (!outsideGames.peek().has(game)) return;
    console.warn(`The game ${game} has an error:`, error);
    markAsFailed(game);
  });
}

async function importModule(game: string, url: string): Promise<GameModule> {
  const known = modules.get(game);
  if (known) return known;
  const attempt = (attempts.get(game) ?? 0) + 1;
  attempts.set(game, attempt);
  const module: unknown = await import(/* @vite-ignore */ retryUrl(url, attempt));
  const checked = checkedModule(module);
  if (checked.stylesheet) await loadStylesheet(new URL(checked.stylesheet, new URL(url, location.href)));
  const safe = withoutErrors(checked, (error) => onGameError(game, error));
  modules.set(game, safe);
  return safe;
}

/**
 * Return another address of the same module for each attempt, because browsers remember modules that could not be fetched.
 *
 * Digits of the hash in the path are percent-encoded, as the bits of the attempt say: the server sees the same path, and the
 * modules that this one imports by relative paths get another address as well.
 */
export function retryUrl(url: string, attempt: number): string {
  const parts = url.split("/");
  const digits = parts.at(-2) ?? "";
  const encoded = [...digits].map((digit, index) => ((attempt - 1) >> index) & 1 ? `%${digit.charCodeAt(0).toString(16)}` : digit);
  return [...parts.slice(0, -2), encoded.join(""), parts.at(-1)].join("/");
}

/** Return a module that exports what the page needs, or throw an error that names what is missing. */
export function checkedModule(module: unknown): GameModule {
  const { game, reduce } = module as Partial<GameModule>;
  if (typeof game !== "object" || game === null) throw new TypeError("the module does not export `game`");
  if (typeof reduce !== "function") throw new TypeError("the module does not export `reduce`");
  const missing = REQUIRED.filter((field) => game[field] === undefined);
  if (missing.length > 0) throw new TypeError(`\`game\` lacks ${missing.join(", ")}`);
  const wrong = REQUIRED.filter((field) => (field === "offerKinds" ? !Array.isArray(game[field]) : typeof game[field] !== "function"));
  if (wrong.length > 0) throw new TypeError(`\`game\` has values of a wrong type: ${wrong.join(", ")}`);
  return module as GameModule;
}

function loadStylesheet(url: URL): Promise<void> {
  return new Promise((done, failed) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = url.href;
    link.onload = () => done();
    link.onerror = () => {
      link.remove();
      failed(new Error(`no stylesheet at ${url.pathname}`));
    };
    document.head.append(link);
  });
}

/** Fetch the texts of a game; a language that it does not have is replaced by the default one. */
export async function fetchTexts(url: string, tag: string, ask = fetch): Promise<BaseGameTexts> {
  const address = (language: string) => url.replace(/[^/]*$/, `texts/${language}.json`);
  let answer = await ask(address(tag));
  if (answer.status === 404 && tag !== DEFAULT_LANGUAGE) answer = await ask(address(DEFAULT_LANGUAGE));
  if (!answer.ok) throw new Error(`no texts at ${address(tag)}`);
  return (await answer.json()) as BaseGameTexts;
}
