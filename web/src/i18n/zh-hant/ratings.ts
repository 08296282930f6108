/** Texts about ratings, Traditional Chinese. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "等級分",
  ratedGames: (count) => `${count} 局`,
  provisional: "尚未穩定",
  speeds: { bullet: "超快棋", blitz: "快棋", rapid: "中速棋", classical: "慢棋" },
  ratingOf: (category) => `${category}等級分`,
  yourRatingOf: (category) => `你的${category}等級分：`,
  computing: "正在計算新的等級分…",
  unchanged: "這一局不影響等級分。",
  leaderboards: "排行榜",
  categories: "類別",
  loading: "正在載入排行榜…",
  failed: "無法載入排行榜，請檢查網路後再試。",
  players: (count) => `${count} 人`,
  place: "名次",
  player: "玩家",
  rating: "等級分",
  games: "局數",
  last: "最近對局",
  distribution: "等級分分布",
  playersHead: "人數",
  yours: "你的等級分",
  betterThan: (percent, others) => `勝過其他 ${others} 位玩家中的 ${percent}%。`,
  standing: {
    none: "你在這個類別還沒有等級分，先玩一局積分賽吧。",
    provisional: "你的等級分尚未穩定。每玩一局積分賽就更準確，問號消失後就會上榜。",
    inactive: "你最近一局積分賽已是 60 天前的事，再玩一局就會回到榜上。",
  },
  rule: "這裡列出等級分已穩定（沒有問號）且 60 天內玩過積分賽的玩家。",
  nobody: "這個排行榜還沒有人",
  howTo: "開新桌或「找人對戰」時選擇「積分賽」。玩過幾局、等級分穩定之後，就會出現在這裡。",
};
