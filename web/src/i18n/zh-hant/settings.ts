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
  sounds: {
    title: "音效",
    volume: "音量",
    kinds: { moves: "走子與出牌", calls: "吃碰槓胡", clock: "時間警示", turn: "提醒與聊天", endings: "對局結束" },
    background: { label: "分頁在背景時", options: { turn: "輪到你與入座", all: "全部音效", none: "靜音" } },
    spokenCalls: { label: "語音喊牌", note: "由瀏覽器唸出吃、碰、槓、胡" },
  },
  notifications: {
    title: "通知",
    notAsked: "瀏覽器尚未允許通知。",
    allow: "允許",
    denied: "瀏覽器封鎖了這個網站的通知。如要允許，請按網址旁的圖示，更改網站設定。",
    unsupported: "這個瀏覽器無法顯示通知。使用 iPhone 或 iPad 時，請先將本頁加入主畫面。",
    turn: { label: "輪到我了", note: "分頁在背景時才會通知" },
    seat: "有人入座",
    offer: { label: "有人提議", note: "再來一場、和局、悔棋" },
    challenge: "有人向我挑戰",
    satDown: (name) => `${name} 在你的桌入座了`,
  },
};
