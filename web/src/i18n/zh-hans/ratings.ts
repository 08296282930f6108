/** Texts about ratings, Simplified Chinese. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "等级分",
  ratedGames: (count) => `${count} 局`,
  provisional: "尚未稳定",
  speeds: { bullet: "超快棋", blitz: "快棋", rapid: "中速棋", classical: "慢棋" },
  ratingOf: (category) => `${category}等级分`,
  yourRatingOf: (category) => `你的${category}等级分：`,
  computing: "正在计算新的等级分…",
  unchanged: "这一局不影响等级分。",
  leaderboards: "排行榜",
  categories: "类别",
  loading: "正在加载排行榜…",
  failed: "无法加载排行榜，请检查网络后重试。",
  players: (count) => `${count} 人`,
  place: "名次",
  player: "玩家",
  rating: "等级分",
  games: "局数",
  last: "最近对局",
  distribution: "等级分分布",
  playersHead: "人数",
  yours: "你的等级分",
  betterThan: (percent, others) => `超过其他 ${others} 位玩家中的 ${percent}%。`,
  standing: {
    none: "你在这个类别还没有等级分，先玩一局积分赛吧。",
    provisional: "你的等级分尚未稳定。每玩一局积分赛就更准确，问号消失后就会上榜。",
    inactive: "你最近一局积分赛已是 60 天前，再玩一局就能回到榜上。",
  },
  rule: "这里列出等级分已稳定（没有问号）且 60 天内玩过积分赛的玩家。",
  nobody: "这个排行榜还没有人",
  howTo: "开新桌或“找人对战”时选择“积分赛”。玩过几局、等级分稳定之后，就会出现在这里。",
};
