/** Short messages at the bottom of the page. */

import { words } from "../i18n";
import { dismiss, toasts } from "../toasts";

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <div class="toast" key={toast.id}>
          <span>{toast.text}</span>
          <button class="quiet small" aria-label={words.value.close} onClick={() => dismiss(toast.id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
