/** Gives the tests of a file an empty storage, and loads the English texts. */

import { vi } from "vitest";

const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
  clear: () => stored.clear(),
});

const { setLanguage } = await import("../src/i18n/language");
await setLanguage("en");
