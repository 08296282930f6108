/** Switches zen mode on and off, also by the key Z. */

import { useLayoutEffect } from "preact/hooks";
import { texts } from "../../i18n/language";
import { zenMode } from "../../settings/boardSettings";

const toggle = () => (zenMode.value = !zenMode.value);

/** `class`: that of the buttons beside it; `named`: it shows its name also outside zen mode. */
export function ZenButton({ class: style, named = zenMode.value }: { class: string; named?: boolean }) {
  const label = texts.value.table[zenMode.value ? "zenEnd" : "zen"];
  // Before the next paint: a key may be pressed as soon as the button is seen.
  useLayoutEffect(() => {
    const key = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      const used = altKey || ctrlKey || metaKey || (target as Element).closest?.("input, select, textarea, dialog");
      if (key.toLowerCase() === "z" && !used) toggle();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  return (
    <button
      class={`${style} zen-button`}
      aria-label={label}
      aria-keyshortcuts="Z"
      title={`${label} (Z)`}
      onClick={toggle}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4" />
      </svg>
      {named && <span>{label}</span>}
    </button>
  );
}
