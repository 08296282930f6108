/** Button that ignores clicks for a moment after it appears. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

export const READY_AFTER = 700;

interface ConfirmButtonProps {
  class?: string;
  /** Accessible name of a button that shows only an icon. */
  label?: string;
  title?: string;
  disabled?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

export function ConfirmButton({ class: style = "", label, title = label, disabled = false, onClick, children }: ConfirmButtonProps) {
  const ready = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => (ready.value = true), READY_AFTER);
    return () => clearTimeout(timer);
  }, []);
  // It can be focused before it can be pressed, so that keyboard users keep their place.
  return (
    <button
      class={`${style} confirm-button`}
      aria-label={label}
      title={title}
      disabled={disabled}
      aria-disabled={!ready.value}
      onClick={() => ready.value && onClick()}
    >
      {children}
    </button>
  );
}
