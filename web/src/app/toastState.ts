/** State of the short messages: add, expire, dismiss. */

import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  text: string;
}

const SHOWN_FOR = 5_000;
const MAX_TOASTS = 3;
let lastId = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Show a message for a few seconds; the same text is never shown twice at once. */
export function showToast(text: string): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.filter((old) => old.text !== text), { id, text }].slice(-MAX_TOASTS);
  setTimeout(() => dismissToast(id), SHOWN_FOR);
}

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
