/** The lessons of mahjong: the tutorial, and the rules for 16 and for 13 tiles. */

import { lazyComponents } from "../../../common/lazyComponent";
import { loadLanguage } from "../../../learn/languageFile";
import type { LessonPage, Lessons } from "../../../learn/lessonTypes";
import sixteen from "./pages/sixteen.json";
import thirteen from "./pages/thirteen.json";
import tutorial from "./pages/tutorial.json";
import { lessonTexts } from "./lessonTexts";
import { TaiTable } from "./TaiTable";
import type { MahjongLessonTexts } from "./texts/types";

type Page = LessonPage<"mahjong">;

// The overview of all lessons needs no table.
const lazy = lazyComponents(() => import("./LessonTable"));
const PAGES: Readonly<Record<string, unknown>> = { tutorial, sixteen, thirteen };
const TEXTS = import.meta.glob<MahjongLessonTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/lessons/mahjong.ts"], { import: "texts" });

export const lessons: Lessons<"mahjong", MahjongLessonTexts> = {
  pages: Object.entries(PAGES).map(([id, page]) => ({ id, steps: (page as Page).steps })),
  pageFor: ({ tiles }) => (tiles === 16 ? "sixteen" : "thirteen"),
  seats: 4,
  loadTexts: async (language) => (lessonTexts.value = await loadLanguage(TEXTS, language)),
  Board: lazy(({ LessonTable }) => LessonTable, null),
  Appendix: TaiTable,
  explain: ({ position }, move, { reasons }) => (move.do === "discard" && position.stage === "claiming" ? reasons.claimFirst : null),
  // While a claim is open, the tiles of the hand are disabled.
  blockedMove: ({ tile }) => (tile === undefined ? null : { do: "discard", tile: Number(tile) }),
};
