/** Hooks: what a view shows is loaded, reloaded after an act, and continued page by page. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isFailure, operatorPath, read, type Failure, type Query } from "./operatorApi";

/** Failures that may be over at the next attempt. */
const PASSING: readonly string[] = ["unreachable", "unavailable", "rate_limited"];
/** Milliseconds after which every worker knows of an act. */
const KNOWN_AFTER = 1_500;

export interface Loaded<T> {
  /** Null before the first answer. */
  found: T | Failure | null;
  /** Load it again, now and when what was done is known everywhere. */
  reload: () => void;
}

/** Load something, again when its path changes, and every so many milliseconds if that is given. */
export function useLoaded<T extends object>(path: string, query: Query = {}, every = 0): Loaded<T> {
  const found = useSignal<T | Failure | null>(null);
  const address = operatorPath(path, query);
  const latest = useRef(0);
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  const load = async () => {
    const turn = ++latest.current;
    const answer = await read<T>(path, query);
    if (turn !== latest.current) return;
    // What was there stays while the server does not answer.
    const isPassing = isFailure(answer) && PASSING.includes(answer.error);
    if (!isPassing || found.peek() === null) found.value = answer;
  };
  useEffect(() => {
    found.value = null;
    void load();
    const timer = every ? setInterval(() => document.hidden || void load(), every) : undefined;
    return () => {
      latest.current += 1;
      clearInterval(timer);
      clearTimeout(again.current);
    };
  }, [address, every]);
  const reload = () => {
    void load();
    clearTimeout(again.current);
    again.current = setTimeout(() => void load(), KNOWN_AFTER);
  };
  return { found: found.value, reload };
}

export interface Pages<T> {
  rows: readonly T[];
  state: "loading" | "failed" | "there";
  failure: Failure | null;
  /** Load the next page; null if there is none. */
  more: (() => void) | null;
  reload: () => void;
}

/** Load a list whose answer names its rows `field`, and the start of the next page `next`. */
export function usePages<T>(path: string, field: string, query: Query = {}, changed?: ReadonlySignal<number>): Pages<T> {
  const page = useSignal<{ rows: readonly T[]; next: number | null; state: Pages<T>["state"]; failure: Failure | null }>({ rows: [], next: null, state: "loading", failure: null });
  const latest = useRef(0);
  const address = operatorPath(path, query);
  const load = async (before: number | null, earlier: readonly T[]) => {
    const turn = ++latest.current;
    page.value = { ...page.peek(), state: "loading" };
    const answer = await read<Record<string, unknown>>(path, { ...query, before });
    if (turn !== latest.current) return;
    if (isFailure(answer)) page.value = { ...page.peek(), state: "failed", failure: answer };
    else page.value = { rows: [...earlier, ...(answer[field] as readonly T[])], next: (answer["next"] as number | null) ?? null, state: "there", failure: null };
  };
  useEffect(() => {
    void load(null, []);
    return () => void (latest.current += 1);
  }, [address, changed?.value]);
  const { rows, next, state, failure } = page.value;
  return { rows, state, failure, more: next === null ? null : () => void load(next, rows), reload: () => void load(null, []) };
}
