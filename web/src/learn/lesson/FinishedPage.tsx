/** Shown after the last step of a page. */

import type { RefObject } from "preact";
import { href } from "../../app/route";
import type { AnyLessons, LessonTexts } from "../lessonTypes";
import type { LearnTexts } from "../texts/types";

interface FinishedPageProps {
  page: string;
  lessons: AnyLessons;
  lesson: LessonTexts;
  learn: LearnTexts;
  heading: RefObject<HTMLHeadingElement | null>;
  onPage: (page: string) => void;
  onAgain: () => void;
  atTable: boolean;
}

export function FinishedPage({ page, lessons, lesson, learn, heading, onPage, onAgain, atTable }: FinishedPageProps) {
  const next = lessons.pages[lessons.pages.findIndex(({ id }) => id === page) + 1]?.id;
  return (
    <div class="lesson-finished">
      <svg class="lesson-seal" viewBox="0 0 64 64" aria-hidden="true">
        <rect x="4" y="4" width="56" height="56" rx="9" />
        <path d="M18 33l10 10 18-22" />
      </svg>
      <h2 ref={heading} tabIndex={-1}>
        {learn.finished(lesson.pages[page]!.name)}
      </h2>
      <p>{learn.finishedText}</p>
      <div class="buttons">
        {!atTable && (
          <a class="button primary" href={href({ at: "lobby" })}>
            {learn.playNow}
          </a>
        )}
        {next && <button onClick={() => onPage(next)}>{learn.nextPage(lesson.pages[next]!.name)}</button>}
        <button class="quiet" onClick={onAgain}>
          {learn.again}
        </button>
      </div>
    </div>
  );
}
