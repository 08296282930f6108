/** Texts of the settings sheet, Simplified Chinese. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "更改会立即保存",
  theme: { title: "外观", options: { system: "跟随系统", light: "浅色", dark: "深色" } },
};
