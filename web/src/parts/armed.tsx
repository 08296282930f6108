/** A button that appears for an answer and cannot be hit by the click that was meant for something else. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export const ARMED_AFTER = 700;

interface ArmedProps {
  class?: string;
  /** What it is called where it shows a sign only. */
  label?: string;
  title?: string;
  off?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

export function Armed({ class: style = "", label, title = label, off = false, onClick, children }: ArmedProps) {
  const armed = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (armed.value = true), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, []);
  // It can have the focus before it can be pressed, so that nobody who uses keys loses his place.
  return (
    <button
      class={`${style} armed`}
      aria-label={label}
      title={title}
      disabled={off}
      aria-disabled={!armed.value}
      onClick={() => armed.value && onClick()}
    >
      {children}
    </button>
  );
}
