/** Texts about ratings, Simplified Chinese. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "等级分",
  ratedGames: (count) => `${count} 局`,
  provisional: "尚未稳定",
  speeds: { bullet: "超快棋", blitz: "快棋", rapid: "中速棋", classical: "慢棋" },
  ratingOf: (category) => `${category}等级分`,
  computing: "正在计算新的等级分…",
  unchanged: "这一局不影响等级分。",
};
