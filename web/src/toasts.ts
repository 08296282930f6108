/** Short messages that come and go. */

import { signal } from "@preact/signals";

export interface Toast {
  id: number;
  text: string;
}

const SHOWN_FOR = 5_000;
const AT_MOST = 3;
let made = 0;

export const toasts = signal<readonly Toast[]>([]);

/** Show a message for a while; the same words are not shown twice at once. */
export function toast(text: string): void {
  const id = ++made;
  toasts.value = [...toasts.value.filter((old) => old.text !== text), { id, text }].slice(-AT_MOST);
  setTimeout(() => dismiss(id), SHOWN_FOR);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
