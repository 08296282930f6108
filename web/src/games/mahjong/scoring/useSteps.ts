/** Shows something step by step. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pace } from "../../../common/windowSize";

/** Return the number of steps shown so far and a function that shows the rest; all at once if motion is not wanted. */
export function useSteps(delays: readonly number[], animated: boolean): readonly [number, () => void] {
  const shown = useSignal(animated && pace() > 0 ? 0 : delays.length);
  const step = shown.value;
  const delay = delays[step];
  useEffect(() => {
    if (delay === undefined) return;
    const timer = setTimeout(() => (shown.value = step + 1), delay * pace());
    return () => clearTimeout(timer);
  }, [step, delay === undefined]);
  return [step, () => (shown.value = delays.length)];
}
