/** Fails unless every language in the list has a folder, the texts of every game and of all lessons. Run by `npm run check` and `npm run build`. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";

const SOURCE = join(import.meta.dirname, "src");

const { LANGUAGES } = (await runnerImport(join(SOURCE, "i18n/languages.ts"))).module;
const games = readdirSync(join(SOURCE, "games"), { withFileTypes: true }).filter((entry) => entry.isDirectory());

const missing = Object.keys(LANGUAGES).flatMap((tag) => {
  const folder = join("i18n", tag.toLowerCase());
  const page = [[join(folder, "index.ts")], [join(folder, "settings.ts")]];
  // A game has its texts in its own folder; a language may add texts of games in its folder.
  const ofGames = games.map(({ name }) => [join("games", name, "texts", `${tag.toLowerCase()}.ts`), join(folder, "games", `${name}.ts`)]);
  const ofSettings = games
    .filter(({ name }) => existsSync(join(SOURCE, "games", name, "settings")))
    .map(({ name }) => [join("games", name, "settings", "texts", `${tag.toLowerCase()}.ts`), join(folder, "gameSettings", `${name}.ts`)]);
  // Lessons have their own texts, which are loaded with them.
  const lessons = [["learn", "learn"], ...games.map(({ name }) => [name, join("games", name, "learn")])].filter(([, place]) => existsSync(join(SOURCE, place)));
  const ofLessons = lessons.map(([name, place]) => [join(place, "texts", `${tag.toLowerCase()}.ts`), join(folder, "lessons", `${name}.ts`)]);
  return [...page, ...ofGames, ...ofSettings, ...ofLessons].filter((places) => !places.some((place) => existsSync(join(SOURCE, place))));
});

for (const places of missing) console.error(`missing texts: src/${places.join(" or src/")}`);
process.exit(missing.length > 0 ? 1 : 0);
