/**
 * Settings of the user: remembered in this browser, applied at once, in every tab.
 * They belong to the identity of the user: a guest is known by this browser alone.
 */

import { signal, type Signal } from "@preact/signals";

const PREFIX = "qipai.setting.";

/** What is stored, by the name of the setting. */
type Value = boolean | number | string;

/** The type of all values of a setting, from its first one. */
type Widened<T> = T extends boolean ? boolean : T extends number ? number : T;

/** Settings of this page, by key of the storage, with what takes over a stored value. */
const settings = new Map<string, (stored: string | null) => void>();

/**
 * Return a setting as a signal; a change of it is remembered.
 * A stored value that `allowed` does not have is ignored; without `allowed`, any value of the type of `initial` is allowed.
 */
export function setting<T extends Value>(name: string, initial: T, allowed: (value: Value) => boolean = () => true): Signal<Widened<T>> {
  const key = PREFIX + name;
  const parse = (stored: string | null): Widened<T> => {
    try {
      const value: unknown = JSON.parse(stored ?? "null");
      if (typeof value === typeof initial && allowed(value as Value)) return value as Widened<T>;
    } catch {
      // Not written by this page.
    }
    return initial as Widened<T>;
  };
  const value = signal(parse(localStorage.getItem(key)));
  value.subscribe((now) => {
    const text = JSON.stringify(now);
    if (now === initial) localStorage.removeItem(key);
    else if (localStorage.getItem(key) !== text) localStorage.setItem(key, text);
  });
  settings.set(key, (stored) => (value.value = parse(stored)));
  return value;
}

/**
 * Return a setting with a few named choices, the first of them to begin with.
 * For style sheets a choice other than the first is the attribute `data-<name>` of the root element; `startSettings.ts` sets it at the start.
 */
export function choice<T extends string>(name: string, choices: readonly [T, ...T[]]): Signal<T> {
  const value = setting<T>(name, choices[0], (one) => (choices as readonly Value[]).includes(one)) as Signal<T>;
  if (typeof document !== "undefined") {
    value.subscribe((now) => {
      const root = document.documentElement;
      if (now === choices[0]) root.removeAttribute(`data-${name}`);
      else root.setAttribute(`data-${name}`, now);
    });
  }
  return value;
}

/** Take over settings that are changed in another tab. */
export function followOtherTabs(): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== null) settings.get(key)?.(newValue);
  });
}

if (typeof addEventListener !== "undefined") followOtherTabs();
