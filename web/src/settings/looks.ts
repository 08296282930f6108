/** Looks of games, such as colours of boards: choices that style sheets see as attributes of the root element. */

import { effect, signal, type Signal } from "@preact/signals";
import { choice } from "./setting";
import { isDark } from "./theme";

/** Changes whenever something looks different; what is painted on a canvas is painted again. */
export const appearance = signal(0);

/** Styles of looks that are chosen already when the page starts. */
const loading: Promise<unknown>[] = [];

/** Return a choice that is the value of `data-<name>`; `load` fetches the styles of looks other than the first. */
export function look<T extends string>(name: string, looks: readonly [T, ...T[]], load: () => Promise<unknown>): Signal<T> {
  const chosen = choice(name, looks);
  if (typeof document === "undefined") return chosen;
  effect(() => {
    document.documentElement.setAttribute(`data-${name}`, chosen.value);
    const styles = chosen.value === looks[0] ? Promise.resolve() : load();
    loading.push(styles.then(changed, changed));
  });
  return chosen;
}

function changed(): void {
  appearance.value++;
}

/** Wait for the styles of the looks that are chosen, so that no other look is seen first. */
export async function startLooks(): Promise<void> {
  await Promise.all(loading);
  effect(() => {
    void isDark.value;
    queueMicrotask(changed);
  });
}
