/** Texts of the settings sheet, Simplified Chinese. */

import type { SettingsTexts } from "../types/settings";

export const settings: SettingsTexts = {
  saved: "更改会立即保存",
  theme: { title: "外观", options: { system: "跟随系统", light: "浅色", dark: "深色" } },
  speed: {
    title: "动画速度",
    options: { normal: "正常", slow: "慢", fast: "快", none: "关闭" },
    reduced: "你的系统要求减少动态效果，所以这里没有动画。",
  },
};
