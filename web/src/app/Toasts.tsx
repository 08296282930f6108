/** Short messages at the bottom of the page. */

import { texts } from "../i18n/language";
import { dismissToast, toasts } from "./toastState";

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div class="toast" key={toast.id}>
          <span>{toast.text}</span>
          <button class="quiet small" aria-label={texts.value.close} onClick={() => dismissToast(toast.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
