/** Components that are loaded when first shown. */

import { signal } from "@preact/signals";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

/** Longest time between two attempts, in milliseconds. */
const MAX_RETRY_DELAY = 30_000;

/** Return a function that creates components from a module that is loaded on first use. */
export function lazyComponents<M>(fetch: () => Promise<M>) {
  const fetched = signal<M | null>(null);
  let requested = false;
  const attempt = (wait: number) =>
    fetch().then(
      (parts) => (fetched.value = parts),
      // The connection may be down.
      () => setTimeout(() => void attempt(Math.min(2 * wait, MAX_RETRY_DELAY)), wait),
    );
  const ask = () => {
    if (!requested) void attempt(1_000);
    requested = true;
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
