/** Hook: whether the user is pointing at or typing in an element. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const ACTIVITY_EVENTS = ["pointermove", "pointerdown", "touchmove", "wheel", "scroll", "keydown"] as const;

/** Return true from any user activity until none has happened for this many milliseconds. */
export function useUserActivity(calm: number): boolean {
  const busy = useSignal(false);
  useEffect(() => {
    let timer = 0;
    const alive = () => {
      busy.value = true;
      clearTimeout(timer);
      timer = window.setTimeout(() => (busy.value = false), calm);
    };
    for (const sign of ACTIVITY_EVENTS) addEventListener(sign, alive, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of ACTIVITY_EVENTS) removeEventListener(sign, alive);
    };
  }, [calm]);
  return busy.value;
}
