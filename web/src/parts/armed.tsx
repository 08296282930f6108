/** A button that appears for an answer and cannot be hit by the click that was meant for something else. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export const ARMED_AFTER = 700;

interface ArmedProps {
  class?: string;
  onClick: () => void;
  children: ComponentChildren;
}

export function Armed({ class: style = "", onClick, children }: ArmedProps) {
  const armed = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (armed.value = true), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return (
    <button class={`${style} armed`} disabled={!armed.value} onClick={onClick}>
      {children}
    </button>
  );
}
