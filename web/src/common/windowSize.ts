/** What media queries and style sheets say about the window. */

import { signal, type ReadonlySignal } from "@preact/signals";

/** Return a signal that tells whether a media query matches. */
export function mediaQuery(query: string): ReadonlySignal<boolean> {
  if (typeof matchMedia === "undefined") return signal(false);
  const list = matchMedia(query);
  const holds = signal(list.matches);
  list.addEventListener("change", () => (holds.value = list.matches));
  return holds;
}

/** The window is wide enough for a column beside the board. */
export const isWideWindow = mediaQuery("(min-width: 54.01rem) and (min-height: 34.01rem)");

/** Return by how much durations of animations are multiplied now; 0: nothing moves. */
export function pace(): number {
  return Number(getComputedStyle(document.documentElement).getPropertyValue("--pace"));
}
