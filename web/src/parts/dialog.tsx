/** Windows that ask before something is done. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal window; Escape and a click beside it close it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
    >
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

interface ConfirmProps {
  question: string;
  yes: string;
  onYes: () => void;
  onClose: () => void;
}

/** A question before something that cannot be taken back; it stands beside the board and covers nothing. */
export function Confirm({ question, yes, onYes, onClose }: ConfirmProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.querySelector("button")?.focus(), []);
  const accept = () => {
    onClose();
    onYes();
  };
  return (
    <div
      ref={ref}
      class="offer offer-asked"
      role="dialog"
      aria-label={question}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <p>{question}</p>
      <div class="buttons">
        <button class="small" onClick={onClose}>
          {words.value.cancel}
        </button>
        <button class="small primary" onClick={accept}>
          {yes}
        </button>
      </div>
    </div>
  );
}
