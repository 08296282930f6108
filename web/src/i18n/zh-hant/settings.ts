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
  board: {
    title: "棋盤",
    coordinates: "顯示座標",
    confirmMoves: "落子前確認",
    confirmMovesNote: "選好的一步要再按一次、按 Enter 或按「確定」才會送出。",
    zenMode: "專注模式",
    zenModeNote: "對局時只顯示棋盤、玩家、時鐘與必要的按鈕。快速鍵：Z",
    drawing: "在西洋棋與五子棋的棋盤上畫記：按住滑鼠右鍵（或長按）拖曳是箭頭，不拖曳是圓圈；按住 Shift、Alt 或兩者可換顏色。用鍵盤時，在所選格上按 C 畫圓圈，按 A 開始與結束箭頭。只有你看得到；點一下棋盤或下一步棋後就會清除。",
  },
};
