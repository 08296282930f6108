/** The steps of a page as a list, with those that are done. */

import type { PageTexts } from "../lessonTypes";
import type { LearnTexts } from "../texts/types";

interface StepListProps {
  steps: readonly { id: string }[];
  texts: PageTexts;
  done: readonly string[];
  current: number;
  learn: LearnTexts;
  onOpen: (number: number) => void;
}

export function StepList({ steps, texts, done, current, learn, onOpen }: StepListProps) {
  return (
    <nav class="lesson-steps" aria-label={learn.steps}>
      <ol>
        {steps.map(({ id }, number) => (
          <li key={id} class={done.includes(id) ? "lesson-step-done" : ""}>
            <button class="quiet" aria-current={number === current ? "step" : undefined} onClick={() => onOpen(number)}>
              <span class="lesson-step-number" aria-hidden="true">
                {done.includes(id) ? "✓" : number + 1}
              </span>
              {texts.steps[id]!.title}
              {done.includes(id) && <span class="hidden"> ({learn.done})</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
