/** Texts of the settings sheet, English. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "Saved as you go",
  theme: { title: "Theme", options: { system: "System", light: "Light", dark: "Dark" } },
  speed: {
    title: "Animations",
    options: { normal: "Normal", slow: "Slow", fast: "Fast", none: "Off" },
    reduced: "Your system asks for less motion, so nothing moves here.",
  },
};
