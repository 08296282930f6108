/** The lessons of tic-tac-toe. */

import { loadLanguage } from "../../../learn/languageFile";
import type { LessonPage, Lessons } from "../../../learn/lessonTypes";
import { EMPTY } from "../position";
import plain from "./pages/plain.json";
import type { TictactoeLessonTexts } from "./texts/types";

const TEXTS = import.meta.glob<TictactoeLessonTexts>(["./texts/*.ts", "!./texts/types.ts", "../../../i18n/*/lessons/tictactoe.ts"], { import: "texts" });

export const lessons: Lessons<"tictactoe", TictactoeLessonTexts> = {
  pages: [{ id: "plain", steps: (plain as unknown as LessonPage<"tictactoe">).steps }],
  pageFor: () => "plain",
  loadTexts: (language) => loadLanguage(TEXTS, language),
  explain: ({ position }, move, { cells }) => (move.do === "mark" && position.board[move.cell] !== EMPTY ? cells.occupied : null),
  blockedMove: ({ cell }) => (cell === undefined ? null : { do: "mark", cell: Number(cell) }),
};
