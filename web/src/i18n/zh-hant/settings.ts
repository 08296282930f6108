/** Texts of the settings sheet, Traditional Chinese. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "變更會立即儲存",
  theme: { title: "外觀", options: { system: "跟隨系統", light: "淺色", dark: "深色" } },
  speed: {
    title: "動畫速度",
    options: { normal: "一般", slow: "慢", fast: "快", none: "關閉" },
    reduced: "你的系統要求減少動態效果，所以這裡沒有動畫。",
  },
};
