/** The texts of the lessons, for the parts of them that get no texts from the page. */

import { signal } from "@preact/signals";
import type { MahjongLessonTexts } from "./texts/types";

/** Set before any part of the lessons is shown. */
export const lessonTexts = signal<MahjongLessonTexts | null>(null);
