/** The texts of the settings sheet, loaded with it. */

import { lazyTexts } from "../i18n/lazyTexts";
import type { SettingsTexts } from "../i18n/types/settings";

export const settingsTexts = lazyTexts(import.meta.glob<SettingsTexts>("../i18n/*/settings.ts", { import: "settings" }));
