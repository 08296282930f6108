/** Remembers which steps of each page the reader has done. */

import type { Signal } from "@preact/signals";
import { setting } from "../settings/setting";

/** By page; the value is the ids of the steps, separated by spaces. */
const known = new Map<string, Signal<string>>();

function doneSteps(game: string, page: string): Signal<string> {
  const key = `${game}.${page}`;
  const found = known.get(key) ?? setting<string>(`learn.${key}`, "");
  known.set(key, found);
  return found;
}

/** Return the ids of the steps that are done, without those that the page no longer has. */
export function stepsDone(game: string, page: string, steps: readonly { id: string }[]): readonly string[] {
  const stored = doneSteps(game, page).value.split(" ");
  return steps.map(({ id }) => id).filter((id) => stored.includes(id));
}

/** Mark a step as done. */
export function markDone(game: string, page: string, step: string): void {
  const done = doneSteps(game, page);
  const stored = done.peek().split(" ").filter(Boolean);
  if (!stored.includes(step)) done.value = [...stored, step].join(" ");
}

/** Return the number of the first step that is not done; the first one if all are. */
export function firstOpenStep(steps: readonly { id: string }[], done: readonly string[]): number {
  return Math.max(0, steps.findIndex(({ id }) => !done.includes(id)));
}
