/** Texts that only a part of the page needs, loaded with that part. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { language } from "./language";

/** Milliseconds between two attempts to load texts. */
const RETRY_AFTER = 2_000;

/**
 * Load texts in the current language; later they follow the language.
 * `files`: what loads them, by path; the path contains the tag of the language in lower case, as a folder or as the file name.
 */
export function lazyTexts<T>(files: Readonly<Record<string, () => Promise<T>>>): Promise<ReadonlySignal<T>> {
  return new Promise((done) => {
    let texts: ReturnType<typeof signal<T>> | undefined;
    const load = (wanted: string): void => {
      const [, fetch] = Object.entries(files).find(([path]) => path.split(/[/.]/).includes(wanted.toLowerCase()))!;
      fetch().then(
        (loaded) => {
          // The language may have changed meanwhile.
          if (wanted !== language.peek()) return;
          if (texts) texts.value = loaded;
          else done((texts = signal(loaded)) as ReadonlySignal<T>);
        },
        () => setTimeout(() => wanted === language.peek() && load(wanted), RETRY_AFTER),
      );
    };
    effect(() => load(language.value));
  });
}
