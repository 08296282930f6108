/** The settings: a dialog of two columns, on small screens a sheet from the bottom. */

import type { FunctionComponent } from "preact";
import { Dialog } from "../dialogs/Dialog";
import { texts } from "../i18n/language";
import { lazyTexts } from "../i18n/lazyTexts";
import type { SettingsTexts } from "../i18n/types/settings";
import { COLUMNS } from "./sections";
import "./controls/controls.css";
import "./looks";
import "./settings.css";

interface SheetProps {
  onClose: () => void;
}

/** Load the texts, and return the sheet. */
export async function loadSheet(): Promise<FunctionComponent<SheetProps>> {
  const settingsTexts = await lazyTexts(import.meta.glob<SettingsTexts>("../i18n/*/settings.ts", { import: "settings" }));
  return (props) => <SettingsSheet text={settingsTexts.value} {...props} />;
}

function SettingsSheet({ text, onClose }: SheetProps & { text: SettingsTexts }) {
  return (
    <Dialog title={texts.value.settings} className="settings" onClose={onClose}>
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
