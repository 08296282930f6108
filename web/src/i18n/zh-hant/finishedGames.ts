/** Texts of the list of finished games, Traditional Chinese. */

import type { FinishedGamesTexts } from "../types/finishedGames";

export const finishedGames: FinishedGamesTexts = {
  finishedGames: {
    title: "歷史對局",
    hint: "這個伺服器上的公開對局，最新的在最前面。",
    player: "玩家名稱",
    search: "搜尋",
    all: "全部",
    game: "遊戲",
    loading: "載入中…",
    failed: "無法載入清單，請檢查網路後再試。",
    none: "還沒有已結束的公開對局。",
    notFound: "找不到對局，請輸入完整的名稱。",
    more: "顯示更多",
    watch: "重播",
    computer: "電腦",
    moves: (count) => `${count} 步`,
    won: (names) => `${names} 獲勝`,
    drawn: "和局",
  },
};
