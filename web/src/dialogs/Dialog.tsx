/** A modal dialog. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  /** Class beside `dialog`. */
  className?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Closes on Escape and on a click outside. */
export function Dialog({ title, className = "", onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // A drag that begins inside, such as that of a slider, may end outside.
  const pressed = useRef<EventTarget>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closing it before it is removed returns the focus to where it was.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${className}`}
      aria-label={title}
      onClose={onClose}
      onPointerDown={(event) => (pressed.current = event.target)}
      onClick={(event) => event.target === ref.current && pressed.current === ref.current && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
