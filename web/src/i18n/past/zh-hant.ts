import type { PastWords } from "./words";

export const pastZhHant: PastWords = {
  title: "歷史對局",
  hint: "這裡下完的公開對局，最近的在最前面。",
  player: "玩家名稱",
  search: "搜尋",
  all: "全部",
  game: "遊戲",
  loading: "搜尋中…",
  lost: "清單載入失敗。",
  none: "還沒有下完的公開對局。",
  nobody: "找不到這樣的對局。名稱要輸入完整。",
  more: "顯示更多",
  watch: "觀看",
  computer: "電腦",
  moves: (count) => `${count} 手`,
  won: (names) => `${names} 獲勝`,
  drawn: "和局",
};
