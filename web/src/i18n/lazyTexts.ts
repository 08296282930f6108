/** Texts that only a part of the page needs, loaded with that part. */

import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { language } from "./language";
import type { Language } from "./languages";

/** Milliseconds between two attempts to load texts. */
const RETRY_AFTER = 2_000;

/**
 * Return texts in the current language; null until the first ones are loaded.
 * `files`: what loads them, by path; the path contains the tag of the language in lower case, as a folder or as the file name.
 */
export function lazyTexts<T>(files: Readonly<Record<string, () => Promise<T>>>): ReadonlySignal<T | null> {
  const loaded = signal<T | null>(null);
  const load = (wanted: Language): void => {
    const [, fetch] = Object.entries(files).find(([path]) => path.split(/[/.]/).includes(wanted.toLowerCase()))!;
    fetch().then(
      (texts) => {
        if (wanted === language.peek()) loaded.value = texts;
      },
      () => {
        if (wanted === language.peek()) setTimeout(() => load(wanted), RETRY_AFTER);
      },
    );
  };
  effect(() => load(language.value));
  return computed(() => loaded.value);
}
