/** The lessons of gomoku: one page for each opening rule. */

import { loadLanguage } from "../../../learn/languageFile";
import type { LessonPage, Lessons } from "../../../learn/lessonTypes";
import { coordinate, forbiddenKind, sizeOf, stones } from "../position";
import free from "./pages/free.json";
import renju from "./pages/renju.json";
import swap2 from "./pages/swap2.json";
import type { GomokuLessonTexts } from "./texts/types";

type Page = LessonPage<"gomoku">;

const PAGES: Readonly<Record<string, unknown>> = { free, swap2, renju };
const TEXTS = import.meta.glob<GomokuLessonTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/lessons/gomoku.ts"], { import: "texts" });

export const lessons: Lessons<"gomoku", GomokuLessonTexts> = {
  pages: Object.entries(PAGES).map(([id, page]) => ({ id, steps: (page as Page).steps })),
  pageFor: ({ rule = "free" }) => rule,
  loadTexts: (language) => loadLanguage(TEXTS, language),
  explain: ({ position }, move, { points }, { games: { gomoku } }) => {
    if (move.do !== "place") return null;
    const size = sizeOf(position);
    const cell = move.x + size * move.y;
    if (stones(position.moves).has(cell)) return points.occupied(coordinate(cell, size));
    const kind = forbiddenKind(position, cell);
    return kind && gomoku.refused(coordinate(cell, size), gomoku.forbiddenReasons[kind]);
  },
  blockedMove: ({ cell }, position) => {
    if (cell === undefined) return null;
    const size = sizeOf(position);
    return { do: "place", x: Number(cell) % size, y: Math.floor(Number(cell) / size) };
  },
};
