/** Judges the moves that a reader tries. */

import type { Texts } from "../i18n/types";
import type { GameName, Games } from "../net/protocol";
import type { Lessons, LessonTexts, Stage, Step, StepTexts } from "./lessonTypes";

export type Judgement =
  /** The answer; `number` is its place among the right moves. */
  | { kind: "right"; number: number }
  /** The rules refuse it, or it is not what the step asks for. */
  | { kind: "refused" | "other"; text: string };

/** Tell whether two moves are the same. */
export function sameMove(one: object, other: object): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

const sorted = (move: object) => Object.entries(move).sort(([one], [other]) => (one < other ? -1 : 1));

interface Lesson<G extends GameName, T extends LessonTexts> {
  lessons: Pick<Lessons<G, T>, "explain">;
  lesson: T;
  step: StepTexts;
  texts: Texts;
  /** Said of a move that is allowed, if the step has no text for it. */
  otherwise: string;
}

/** Judge a move at a stage. */
export function judge<G extends GameName, T extends LessonTexts>(stage: Stage<G>, move: Games[G]["move"], { lessons, lesson, step, texts, otherwise }: Lesson<G, T>): Judgement {
  const number = stage.right.findIndex((one) => sameMove(one, move));
  if (number >= 0) return { kind: "right", number };
  const listed = (moves: Stage<G>["refused"] = []) => moves.find((one) => sameMove(one.move, move));
  const refused = listed(stage.refused);
  if (refused) return { kind: "refused", text: lesson.reasons[refused.reason] ?? lessons.explain?.(stage, move, lesson, texts) ?? otherwise };
  const other = listed(stage.other);
  if (other) return { kind: "other", text: lesson.reasons[other.reason] ?? otherwise };
  const why = lessons.explain?.(stage, move, lesson, texts) ?? null;
  if (why !== null) return { kind: "refused", text: why };
  return { kind: "other", text: step.other ?? otherwise };
}

/** What the board of a step shows: a stage, or the position after one of its last right moves. */
export type Moment = { stage: number; end?: undefined } | { stage: number; end: number };

/** Return the moment after a right move. */
export function nextMoment<G extends GameName>(step: Step<G>, stage: number, number: number): Moment {
  return stage + 1 < step.stages.length ? { stage: stage + 1 } : { stage, end: number };
}

/** Return the position of a moment. */
export function positionAt<G extends GameName>(step: Step<G>, { stage, end }: Moment): Games[G]["position"] {
  return end === undefined ? step.stages[stage]!.position : step.after[end]!;
}

/** Tell whether there is nothing to try. */
export function isReading<G extends GameName>(step: Step<G>): boolean {
  return step.stages[0]!.right.length === 0;
}
