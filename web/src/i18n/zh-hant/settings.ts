/** Texts of the settings sheet, Traditional Chinese. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "變更會立即儲存",
  theme: { title: "外觀", options: { system: "跟隨系統", light: "淺色", dark: "深色" } },
};
