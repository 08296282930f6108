/** A modal dialog. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface DialogProps {
  title: string;
  /** Class beside `dialog`. */
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Closes on Escape and on a click outside. */
export function Dialog({ title, class: style = "", onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closing it before it is removed returns the focus to where it was.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`dialog ${style}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
