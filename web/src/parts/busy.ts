/** Tells whether somebody is doing something on the page, as far as it can be seen. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const SIGNS = ["pointermove", "pointerdown", "touchmove", "wheel", "scroll", "keydown"] as const;

/** Return true from any sign of life until there has been none for so many milliseconds. */
export function useBusy(calm: number): boolean {
  const busy = useSignal(false);
  useEffect(() => {
    let timer = 0;
    const alive = () => {
      busy.value = true;
      clearTimeout(timer);
      timer = window.setTimeout(() => (busy.value = false), calm);
    };
    for (const sign of SIGNS) addEventListener(sign, alive, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) removeEventListener(sign, alive);
    };
  }, [calm]);
  return busy.value;
}
