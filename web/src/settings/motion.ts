/** Speed of animations: chosen; none if the system asks for less motion. */

import { computed, effect } from "@preact/signals";
import { mediaQuery } from "../common/windowSize";
import { choice } from "./setting";

/** By how much each speed multiplies durations. */
const PACES = { normal: 1, slow: 2, fast: 0.5, none: 0 } as const;

export type Speed = keyof typeof PACES;

export const SPEEDS = ["normal", "slow", "fast", "none"] as const satisfies readonly Speed[];

export const speed = choice<Speed>("speed", SPEEDS);

export const systemReducesMotion = mediaQuery("(prefers-reduced-motion: reduce)");

/** By how much durations are multiplied now; 0: nothing moves. */
export const pace = computed(() => (systemReducesMotion.value ? 0 : PACES[speed.value]));

/** Apply the speed to all animations of style sheets from now on. */
export function startMotion(): void {
  const root = document.documentElement;
  effect(() => {
    root.style.setProperty("--pace", String(pace.value));
    root.toggleAttribute("data-still", pace.value === 0);
  });
}
