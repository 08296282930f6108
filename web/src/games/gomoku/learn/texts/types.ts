/** Type of the texts of the lessons of gomoku. */

import type { LessonTexts, PageTexts } from "../../../../learn/lessonTypes";

export interface GomokuLessonTexts extends LessonTexts {
  pages: {
    free: PageTexts<"five" | "block" | "openThree" | "overline">;
    swap2: PageTexts<"first" | "choice" | "more" | "colour">;
    renju: PageTexts<"doubleThree" | "doubleFour" | "overline" | "notThree" | "white">;
  };
  points: { occupied: (point: string) => string };
}
