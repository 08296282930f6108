/** A dialog with a title, a close button and a form of which only the middle scrolls; a bottom sheet on narrow screens. */

import type { ComponentChildren } from "preact";
import { texts } from "../i18n/language";
import { Dialog } from "./Dialog";
import "./sheet.css";

interface SheetDialogProps {
  title: string;
  className?: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** Its content is a form with the class `sheet-form`: first `sheet-fields`, then `sheet-foot`. */
export function SheetDialog({ title, className = "", onClose, children }: SheetDialogProps) {
  return (
    <Dialog title={title} className={`sheet ${className}`} onClose={onClose}>
      <header class="sheet-head">
        <h2>{title}</h2>
        <button type="button" class="quiet sheet-close" aria-label={texts.value.close} onClick={onClose}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M5 5l10 10M15 5L5 15" />
          </svg>
        </button>
      </header>
      {children}
    </Dialog>
  );
}
