/** Ratings of bots beside their levels. */

import { beforeAll, expect, it, vi } from "vitest";
import { setLanguage } from "../../src/i18n/language";
import { botRatingText } from "../../src/ratings/botRating";
import type { GameDescription } from "../../src/net/protocol";

vi.hoisted(() => {
  const storage = { getItem: () => "", setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage, addEventListener: () => undefined, matchMedia: () => ({ matches: false, addEventListener: () => undefined }), document: { documentElement: {} } });
});

const GOMOKU: GameDescription = { name: "gomoku", seats: 2, bots: ["easy", "normal"], bot_ratings: [{ twist: "renju", ratings: [950, null] }] };

beforeAll(() => setLanguage("en"));

it("is that of the twist which is chosen", () => {
  expect(botRatingText(GOMOKU, "easy", { rule: "renju" })).toBe("about 950");
  expect(botRatingText(GOMOKU, "easy", {})).toBe("");
});

it("is left out where it was not measured", () => {
  expect(botRatingText(GOMOKU, "normal", { rule: "renju" })).toBe("");
  expect(botRatingText(GOMOKU, "unknown", { rule: "renju" })).toBe("");
  expect(botRatingText({ ...GOMOKU, name: "outside" }, "easy", {})).toBe("");
  const { bot_ratings: _, ...older } = GOMOKU;
  expect(botRatingText(older, "easy", { rule: "renju" })).toBe("");
});
