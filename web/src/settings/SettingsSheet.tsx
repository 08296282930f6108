/** The settings: a dialog of two columns, on small screens a sheet from the bottom. */

import { Dialog } from "../dialogs/Dialog";
import { texts } from "../i18n/language";
import { COLUMNS } from "./sections";
import { settingsTexts } from "./settingsTexts";
import "./settings.css";

export function SettingsSheet({ onClose }: { onClose: () => void }) {
  const text = settingsTexts.value;
  if (text === null) return null;
  return (
    <Dialog title={texts.value.settings} class="settings" onClose={onClose}>
      <header class="settings-header">
        <h2>{texts.value.settings}</h2>
        <span class="settings-saved">
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3 8.5l3.5 3.5L13 4.5" />
          </svg>
          {text.saved}
        </span>
        <button class="quiet settings-close" aria-label={texts.value.close} onClick={onClose}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />
          </svg>
        </button>
      </header>
      <div class="settings-columns">
        {COLUMNS.map((sections, column) => (
          <div class="settings-column" key={column}>
            {sections.map((Section, place) => (
              <Section key={place} text={text} />
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
