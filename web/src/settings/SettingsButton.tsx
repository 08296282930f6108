/** The button that opens the settings; the sheet is loaded with the first press. */

import { useSignal } from "@preact/signals";
import { lazyComponents } from "../common/lazyComponent";
import { texts } from "../i18n/language";

const lazy = lazyComponents(() => import("./SettingsSheet").then(({ loadSheet }) => loadSheet()));
const SettingsSheet = lazy((Sheet) => Sheet, null);

/** Without `class` it is an icon of the header. */
export function SettingsButton({ class: style }: { class?: string }) {
  const open = useSignal(false);
  const label = texts.value.settings;
  return (
    <>
      <button class={style ?? "quiet header-icon"} aria-label={label} title={label} aria-haspopup="dialog" onClick={() => (open.value = true)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1.5 4.5h7m4.5 0h1.5M1.5 11.5H3m4.5 0h7" />
          <circle cx="10.5" cy="4.5" r="2" />
          <circle cx="5.5" cy="11.5" r="2" />
        </svg>
        {style && <span>{label}</span>}
      </button>
      {open.value && <SettingsSheet onClose={() => (open.value = false)} />}
    </>
  );
}
