/** Keeps the keyboard's place: when what has the focus vanishes, what stands in for it takes it. */

/** What can take the focus. */
const ABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [tabindex="0"]';

/**
 * Follow the focus of whoever uses keys; one that a pointer gave is nobody's place.
 *
 * An element with `data-home` takes in whoever loses his place within it: at the first of the selectors named there,
 * separated by `|`, that is to be found, or at the first thing inside that can have the focus.
 */
export function keepFocus(root: HTMLElement): void {
  let last: HTMLElement | null = null;
  let homes: HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof HTMLElement && target.matches(":focus-visible") ? target : null;
    homes = last ? homesOf(last) : [];
  });
  document.addEventListener("pointerdown", () => (last = null), true);
  new MutationObserver(() => {
    const now = document.activeElement;
    if (last === null || (now !== null && now !== last && now !== document.body)) return;
    if (last.isConnected && last.checkVisibility()) {
      // It was switched off for a moment.
      if (now !== last) last.focus({ preventScroll: true });
      return;
    }
    const home = homes.filter((one) => one.isConnected).map(landing).find((one) => one !== null);
    last = null;
    (home ?? document.getElementById("main"))?.focus({ preventScroll: home === undefined });
  }).observe(root, { subtree: true, childList: true, attributeFilter: ["disabled", "hidden", "class"] });
}

function homesOf(element: HTMLElement): HTMLElement[] {
  const home = element.parentElement?.closest<HTMLElement>("[data-home]");
  return home ? [home, ...homesOf(home)] : [];
}

/** Return where to go within a home. */
function landing(home: HTMLElement): HTMLElement | null {
  for (const wanted of home.dataset.home?.split("|").filter(Boolean) ?? []) {
    const found = able(home, wanted);
    if (found) return found;
  }
  return home.dataset.home ? null : able(home, ABLE);
}

function able(home: HTMLElement, wanted: string): HTMLElement | null {
  const found = [...home.querySelectorAll<HTMLElement>(wanted)];
  return found.find((one) => one.matches(ABLE) && one.checkVisibility()) ?? null;
}
