/** A dialog that asks why something is done, and does it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { showToast } from "../../app/toastState";
import { SheetDialog } from "../../dialogs/SheetDialog";
import type { OperatorTexts } from "../../i18n/types/operator";
import { act, isFailure, type Failure } from "../operatorApi";
import { failureText } from "./FailureText";

/** The values of the fields of a form, by name; a checkbox has one only if it is checked. */
export type Values = Readonly<Record<string, string>>;

interface ActDialogProps {
  text: OperatorTexts;
  title: string;
  button: string;
  /** Where the act is sent, below the path of operators. */
  path: string;
  /** Return what is sent beside the reason. */
  body?: (values: Values) => object;
  reason?: "required" | "optional";
  /** Its entry is shown to the person concerned. */
  isShown?: boolean;
  note?: string;
  onDone: () => void;
  onClose: () => void;
  children?: ComponentChildren;
}

export function ActDialog({ text, title, button, path, body, reason = "required", isShown, note, onDone, onClose, children }: ActDialogProps) {
  const failure = useSignal<Failure | null>(null);
  const waiting = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (waiting.value || form.current === null) return;
    const values: Values = Object.fromEntries([...new FormData(form.current)].map(([name, value]) => [name, String(value).trim()]));
    waiting.value = true;
    failure.value = null;
    const answer = await act(path, { reason: values["reason"] ?? "", ...body?.(values) });
    waiting.value = false;
    if (isFailure(answer)) {
      failure.value = answer;
      return;
    }
    showToast(text.done);
    onDone();
    onClose();
  };
  const reasonNote = reason === "optional" ? text.reasonOptional : isShown ? text.reasonNote : "";
  return (
    <SheetDialog title={title} onClose={onClose}>
      <form class="sheet-form" ref={form} onSubmit={submit}>
        <div class="sheet-fields">
          {note && <p>{note}</p>}
          {children}
          <div class="field">
            <label for={`${id}-reason`}>{text.reason}</label>
            <textarea id={`${id}-reason`} name="reason" rows={3} maxLength={300} required={reason === "required"} aria-describedby={reasonNote ? `${id}-note` : undefined} />
            {reasonNote && (
              <p class="soft" id={`${id}-note`}>
                {reasonNote}
              </p>
            )}
          </div>
          <p class="operator-error" role="alert">
            {failure.value && failureText(text, failure.value)}
          </p>
        </div>
        <div class="sheet-foot buttons">
          <button type="button" onClick={onClose}>
            {text.cancel}
          </button>
          <button class="primary" disabled={waiting.value}>
            {button}
          </button>
        </div>
      </form>
    </SheetDialog>
  );
}
