/** The pages of a game, one of which is open. */

import type { LoadedLessons } from "../loadLessons";
import type { LearnTexts } from "../texts/types";

interface PageChipsProps {
  loaded: LoadedLessons;
  page: string;
  learn: LearnTexts;
  onPage: (page: string) => void;
}

export function PageChips({ loaded: { lessons, lesson }, page, learn, onPage }: PageChipsProps) {
  if (lessons.pages.length < 2) return null;
  return (
    <nav class="lesson-pages" aria-label={learn.pages}>
      {lessons.pages.map(({ id, Icon }) => (
        <button key={id} aria-current={id === page ? "page" : undefined} onClick={() => onPage(id)}>
          {Icon && <Icon />}
          {lesson.pages[id]!.name}
        </button>
      ))}
    </nav>
  );
}
