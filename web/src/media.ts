/** How much room the window has. */

import { signal, type ReadonlySignal } from "@preact/signals";

/** Return whether a media query holds, now and whenever that changes. */
export function media(query: string): ReadonlySignal<boolean> {
  if (typeof matchMedia === "undefined") return signal(false);
  const list = matchMedia(query);
  const holds = signal(list.matches);
  list.addEventListener("change", () => (holds.value = list.matches));
  return holds;
}

/** There is room for a column beside the board that shows everything at once. */
export const broad = media("(min-width: 54.01rem) and (min-height: 34.01rem)");
