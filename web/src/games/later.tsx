/** Parts of a game that are fetched when its first table is opened. */

import { signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

/** Milliseconds between two attempts, at the most. */
const PATIENCE = 30_000;

/** Return a function that makes components out of what will be fetched, all of it at once. */
export function later<M>(fetch: () => Promise<M>) {
  const fetched = signal<M | null>(null);
  let asked = false;
  const attempt = (wait: number) =>
    fetch().then(
      (parts) => (fetched.value = parts),
      // The line was cut, perhaps.
      () => setTimeout(() => void attempt(Math.min(2 * wait, PATIENCE)), wait),
    );
  const ask = () => {
    if (!asked) void attempt(1_000);
    asked = true;
  };

  return function part<P extends object>(pick: (parts: M) => FunctionComponent<P>, meanwhile: ComponentChildren) {
    return function Later(props: P) {
      useEffect(ask, []);
      const parts = fetched.value;
      if (parts === null) return <>{meanwhile}</>;
      const Part = pick(parts);
      return <Part {...props} />;
    };
  };
}
