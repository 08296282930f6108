/** Texts of the list of finished games, Simplified Chinese. */

import type { FinishedGamesTexts } from "../types/finishedGames";

export const finishedGames: FinishedGamesTexts = {
  finishedGames: {
    title: "历史对局",
    hint: "这个服务器上的公开对局，最新的在最前面。",
    player: "玩家名字",
    search: "搜索",
    all: "全部",
    game: "游戏",
    loading: "加载中…",
    failed: "无法加载列表，请检查网络后再试。",
    none: "还没有已结束的公开对局。",
    notFound: "找不到对局，请输入完整的名字。",
    more: "显示更多",
    watch: "回放",
    computer: "电脑",
    moves: (count) => `${count} 步`,
    won: (names) => `${names} 获胜`,
    drawn: "和棋",
  },
};
