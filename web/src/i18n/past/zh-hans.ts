import type { PastWords } from "./words";

export const pastZhHans: PastWords = {
  title: "历史对局",
  hint: "这里下完的公开对局，最新的排在最前面。",
  player: "玩家名字",
  search: "搜索",
  all: "全部",
  game: "游戏",
  loading: "正在查找…",
  lost: "列表加载失败。",
  none: "还没有下完的公开对局。",
  nobody: "没有找到这样的对局。名字要输全。",
  more: "显示更多",
  watch: "观看",
  computer: "电脑",
  moves: (count) => `${count} 步`,
  won: (names) => `${names} 获胜`,
  drawn: "和棋",
};
