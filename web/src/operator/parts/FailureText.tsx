/** What is shown instead of what was asked for: that it is loading, or why it could not be loaded. */

import type { OperatorError, OperatorTexts } from "../../i18n/types/operator";
import { isFailure, type Failure } from "../operatorApi";

/** Return why something failed, in the language of the page. */
export function failureText(text: OperatorTexts, { error, about }: Failure): string {
  const known = text.errors[error as OperatorError] ?? text.failed;
  return error === "malformed" && about ? `${known} (${about})` : known;
}

interface NotThereProps {
  text: OperatorTexts;
  found: object | null;
  retry: () => void;
}

/** Shown as long as nothing was found. */
export function NotThere({ text, found, retry }: NotThereProps) {
  if (found === null) {
    return (
      <p class="soft" role="status">
        {text.loading}
      </p>
    );
  }
  return (
    <div class="operator-missing" role="alert">
      <p>{isFailure(found) ? failureText(text, found) : text.failed}</p>
      <button onClick={retry}>{text.retry}</button>
    </div>
  );
}
