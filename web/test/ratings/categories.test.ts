/** In which category a table counts: the same cases as those of the server. */

import { expect, it, vi } from "vitest";
import cases from "./categories.json";
import { game as chess } from "../../src/games/chess";
import { game as gomoku } from "../../src/games/gomoku";
import { game as mahjong } from "../../src/games/mahjong";
import type { GameParts } from "../../src/games/gameInterface";
import type { ClockPlanView, GameName } from "../../src/net/protocol";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }) });
});

const GAMES = { chess, gomoku, mahjong } as unknown as Record<string, GameParts<GameName>>;

it.each(cases as [string, object, ClockPlanView, string][])("%s with %j and %j counts as %s", (game, options, clock, category) => {
  expect(GAMES[game]?.ratingCategory?.(options, clock)).toBe(category);
});
