/** Moves the keyboard focus when the focused element disappears. */

/** Elements that can take the focus. */
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [tabindex="0"]';

/**
 * Keep the focus of keyboard users; a focus that was set by a pointer is ignored.
 *
 * If a focused element disappears, the nearest ancestor with `data-home` receives the focus: at the first match of the
 * selectors listed there, separated by `|`, or else at its first focusable element.
 */
export function keepFocus(root: HTMLElement): void {
  let last: HTMLElement | null = null;
  let homes: HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof HTMLElement && target.matches(":focus-visible") ? target : null;
    homes = last ? focusHomes(last) : [];
  });
  document.addEventListener("pointerdown", () => (last = null), true);
  new MutationObserver(() => {
    const now = document.activeElement;
    if (last === null || (now !== null && now !== last && now !== document.body)) return;
    if (last.isConnected && last.checkVisibility()) {
      // It is disabled only for a moment.
      if (now !== last) last.focus({ preventScroll: true });
      return;
    }
    const home = homes.filter((one) => one.isConnected).map(focusTarget).find((one) => one !== null);
    last = null;
    (home ?? document.getElementById("main"))?.focus({ preventScroll: home === undefined });
  }).observe(root, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden", "class"] });
}

function focusHomes(element: HTMLElement): HTMLElement[] {
  const home = element.parentElement?.closest<HTMLElement>("[data-home]");
  return home ? [home, ...focusHomes(home)] : [];
}

/** Return the element in a home that receives the focus. */
function focusTarget(home: HTMLElement): HTMLElement | null {
  for (const wanted of home.dataset.home?.split("|").filter(Boolean) ?? []) {
    const found = findFocusable(home, wanted);
    if (found) return found;
  }
  return home.dataset.home ? null : findFocusable(home, FOCUSABLE);
}

function findFocusable(home: HTMLElement, wanted: string): HTMLElement | null {
  const found = [...home.querySelectorAll<HTMLElement>(wanted)];
  return found.find((one) => one.matches(FOCUSABLE) && one.checkVisibility()) ?? null;
}
