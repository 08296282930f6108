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
  board: {
    title: "棋盘",
    coordinates: "显示坐标",
    confirmMoves: "落子前确认",
    confirmMovesNote: "选好的一步要再按一次、按 Enter 或按“确定”才会发出。",
    zenMode: "专注模式",
    zenModeNote: "对局时只显示棋盘、玩家、时钟和必要的按钮。快捷键：Z",
    drawing: "在国际象棋和五子棋的棋盘上画标记：按住鼠标右键（或长按）拖动是箭头，不拖动是圆圈；按住 Shift、Alt 或两者可换颜色。用键盘时，在所选格上按 C 画圆圈，按 A 开始和结束箭头。只有你看得到；点一下棋盘或下一步棋后就会清除。",
  },
};
