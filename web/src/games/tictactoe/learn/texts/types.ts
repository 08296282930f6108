/** Type of the texts of the lessons of tic-tac-toe. */

import type { LessonTexts, PageTexts } from "../../../../learn/lessonTypes";

export interface TictactoeLessonTexts extends LessonTexts {
  pages: { plain: PageTexts<"line" | "block" | "fork" | "match"> };
  cells: { occupied: string };
}
