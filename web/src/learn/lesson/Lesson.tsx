/** One page of lessons: its steps, each with a text, a live board and an answer to every try. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isWideWindow } from "../../common/windowSize";
import { texts } from "../../i18n/language";
import type { AnyMove } from "../../net/protocol";
import { isReading, judge, nextMoment, type Judgement, type Moment } from "../judge";
import { LessonBoard } from "./LessonBoard";
import type { LoadedLessons } from "../loadLessons";
import { FinishedPage } from "./FinishedPage";
import { firstOpenStep, markDone, stepsDone } from "../progress";
import { StepList } from "./StepList";
import type { LearnTexts } from "../texts/types";

interface LessonProps {
  game: string;
  page: string;
  loaded: LoadedLessons;
  learn: LearnTexts;
  /** Opens another page. */
  onPage: (page: string) => void;
  /** At a table there is nothing to play now. */
  atTable: boolean;
}

/** An answer to the last try. */
interface Answer {
  kind: Judgement["kind"];
  text: string;
  /** Tells equal answers apart, so that both are announced. */
  number: number;
  /** The next task, for screen readers. */
  next?: string | undefined;
}

export function Lesson({ game, page, loaded: { lessons, lesson }, learn, onPage, atTable }: LessonProps) {
  const { steps } = lessons.pages.find(({ id }) => id === page)!;
  const pageTexts = lesson.pages[page]!;
  const done = stepsDone(game, page, steps);
  const number = useSignal(firstOpenStep(steps, done));
  const moment = useSignal<Moment>({ stage: 0 });
  const answer = useSignal<Answer | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  const finished = number.value >= steps.length;
  const step = steps[Math.min(number.value, steps.length - 1)]!;
  const text = pageTexts.steps[step.id]!;
  const solved = moment.value.end !== undefined || isReading(step);

  const open = (next: number) => {
    moved.current = true;
    moment.value = { stage: 0 };
    answer.value = null;
    number.value = next;
  };
  useLayoutEffect(() => {
    // Keyboard and screen reader users start at the top of the new step.
    if (!moved.current) return;
    heading.current?.focus({ preventScroll: true });
    // Where the board is below the text, both fit if the step begins at the top.
    const top = heading.current?.parentElement;
    if (top && !isWideWindow.value) top.scrollIntoView({ block: "start" });
  }, [number.value]);
  useEffect(() => {
    const board = heading.current?.closest(".lesson")?.querySelector(".lesson-board");
    // The answer covers the lower edge of the screen.
    if (answer.value && board && !isWideWindow.value && board.clientHeight < 0.7 * innerHeight) board.scrollIntoView({ block: "nearest" });
  }, [answer.value]);
  useEffect(() => {
    if (!finished && isReading(step)) markDone(game, page, step.id);
  }, [step.id, finished]);

  const judged = (move: AnyMove) =>
    judge(step.stages[moment.value.stage]!, move, { lessons, lesson, step: text, texts: texts.value, otherwise: learn.otherMove });
  const tried = (_: AnyMove, judgement: Judgement) => {
    const count = (answer.value?.number ?? 0) + 1;
    if (judgement.kind !== "right") {
      answer.value = { kind: judgement.kind, text: judgement.text, number: count };
      return;
    }
    const next = nextMoment(step, moment.value.stage, judgement.number);
    moment.value = next;
    const ended = next.end !== undefined;
    answer.value = { kind: "right", text: ended ? (text.done ?? "") : learn.goOn, number: count, ...(!ended && { next: text.tasks?.[next.stage] }) };
    if (ended) markDone(game, page, step.id);
  };
  const showMe = () => {
    const move = step.stages[moment.value.stage]!.right[0];
    if (move) tried(move, { kind: "right", number: 0 });
  };

  if (finished) {
    return <FinishedPage page={page} lessons={lessons} lesson={lesson} learn={learn} heading={heading} onPage={onPage} onAgain={() => open(0)} atTable={atTable} />;
  }
  const task = text.tasks?.[moment.value.stage];
  const { Appendix } = lessons;
  return (
    <div class="lesson">
      <div class="lesson-card">
        <p class="lesson-count">
          <span>{learn.stepOf(number.value + 1, steps.length)}</span>
          <progress max={steps.length} value={number.value + (solved ? 1 : 0)} aria-label={learn.doneOf(done.length, steps.length)} />
        </p>
        <h2 ref={heading} tabIndex={-1}>
          {text.title}
        </h2>
        {text.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {!solved && task && (
          <p class="lesson-task">
            <b>{learn.yourTurn}</b> {task}
          </p>
        )}
      </div>
      <LessonBoard key={step.id} game={game} lessons={lessons} step={step} moment={moment.value} learn={learn} names={lesson.names} judge={judged} onTry={tried} />
      <div class="lesson-foot">
        <div role="status" class="lesson-answers">
          {answer.value && <AnswerNote key={answer.value.number} answer={answer.value} learn={learn} />}
        </div>
        <div class="lesson-buttons">
          <button class="quiet" disabled={number.value === 0} onClick={() => open(number.value - 1)}>
            {learn.back}
          </button>
          {!solved && <button onClick={showMe}>{learn.showMe}</button>}
          {solved && !isReading(step) && (
            <button onClick={() => open(number.value)}>
              {learn.again}
            </button>
          )}
          <button class={solved ? "primary" : ""} onClick={() => open(number.value + 1)}>
            {solved ? learn.next : learn.skip}
          </button>
        </div>
      </div>
      {Appendix && <Appendix page={page} step={step.id} />}
      <StepList steps={steps} texts={pageTexts} done={done} current={number.value} learn={learn} onOpen={open} />
    </div>
  );
}

function AnswerNote({ answer: { kind, text, next }, learn }: { answer: Answer; learn: LearnTexts }) {
  const title = { right: learn.right, refused: learn.refused, other: learn.notThis }[kind];
  return (
    <p class={`lesson-answer lesson-${kind}`}>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d={kind === "right" ? "M4 10.500l4 4 8-9" : kind === "refused" ? "M5 5l10 10M15 5L5 15" : "M10 4v8M10 15.500v.01"} />
      </svg>
      <span>
        <b>{title}</b> {text}
        {next && <span class="hidden"> {next}</span>}
      </span>
    </p>
  );
}
