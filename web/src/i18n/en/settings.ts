/** Texts of the settings sheet, English. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "Saved as you go",
  theme: { title: "Theme", options: { system: "System", light: "Light", dark: "Dark" } },
};
