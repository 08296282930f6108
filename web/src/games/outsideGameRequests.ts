/** Decides when games from outside are loaded: when the lobby or a list shows them, at a table, and for a replay. */

import { computed, effect } from "@preact/signals";
import { route } from "../app/route";
import { language } from "../i18n/language";
import { isConnected, reloadTables, state } from "../net/session";
import { partsOf } from "./gameRegistry";
import { failedGames, requestedGames } from "./outsideGames";

/** Whether a game that the page cannot show is on its way, has failed, or is none that the server has a module for. */
export type MissingGameStatus = "loading" | "failed" | "unknown";

/** Modules of all games from outside, by game; a reconnect changes nothing here. */
const modules = computed(() => JSON.stringify(state.value.games.flatMap(({ name, module }) => (module ? [[name, module]] : []))));
/** Games of the open tables. */
const tableGames = computed(() => Object.values(state.value.tables).map(({ room }) => room.game).join(" "));

/** Load games from outside whenever they are needed. */
export function startOutsideGames(): void {
  effect(() => {
    const all = JSON.parse(modules.value) as [name: string, url: string][];
    const here = route.value.at;
    const listed = here === "lobby" || here === "code" || here === "replay";
    const needed = all.filter(([name]) => listed || requestedGames.value.has(name) || tableGames.value.split(" ").includes(name));
    const open = needed.filter(([name]) => !failedGames.value.has(name));
    // Texts are loaded again in another language.
    if (open.length > 0 && language.value) void load(open);
  });
  effect(() => {
    // The connection may have been the reason.
    if (isConnected.value) failedGames.value = new Set();
  });
}

async function load(games: readonly (readonly [name: string, url: string])[]): Promise<void> {
  try {
    const { loadOutsideGame } = await import("./outsideGameLoader");
    for (const [name, url] of games) void loadOutsideGame(name, url, reloadTables);
  } catch {
    failedGames.value = new Set([...failedGames.peek(), ...games.map(([name]) => name)]);
  }
}

/** Return why the page cannot show a game; null if it can. */
export function missingStatus(game: string): MissingGameStatus | null {
  if (partsOf(game)) return null;
  const { games } = state.value;
  if (games.length > 0 && !games.some(({ name, module }) => name === game && module)) return "unknown";
  return failedGames.value.has(game) ? "failed" : "loading";
}
