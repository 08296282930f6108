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
  sounds: {
    title: "音效",
    volume: "音量",
    kinds: { moves: "走子与出牌", calls: "吃碰杠胡", clock: "时间提醒", turn: "提醒与聊天", endings: "对局结束" },
    background: { label: "标签页在后台时", options: { turn: "轮到你与入座", all: "全部音效", none: "静音" } },
    spokenCalls: { label: "语音喊牌", note: "由浏览器念出吃、碰、杠、胡" },
  },
  notifications: {
    title: "通知",
    notAsked: "浏览器尚未允许通知。",
    allow: "允许",
    denied: "浏览器屏蔽了这个网站的通知。如要允许，请点按网址旁的图标，更改网站设置。",
    unsupported: "这个浏览器无法显示通知。使用 iPhone 或 iPad 时，请先将本页添加到主屏幕。",
    turn: { label: "轮到我了", note: "标签页在后台时才会通知" },
    seat: "有人入座",
    offer: { label: "有人提议", note: "再来一场、和棋、悔棋" },
    challenge: "有人向我发起挑战",
    satDown: (name) => `${name} 在你的桌入座了`,
  },
};
