/** Texts about ratings, Traditional Chinese. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "等級分",
  ratedGames: (count) => `${count} 局`,
  provisional: "尚未穩定",
  speeds: { bullet: "超快棋", blitz: "快棋", rapid: "中速棋", classical: "慢棋" },
  ratingOf: (category) => `${category}等級分`,
  computing: "正在計算新的等級分…",
  unchanged: "這一局不影響等級分。",
};
