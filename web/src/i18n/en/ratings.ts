/** Texts about ratings, English. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "Ratings",
  ratedGames: (count) => (count === 1 ? "1 game" : `${count} games`),
  provisional: "not settled yet",
  speeds: { bullet: "Bullet", blitz: "Blitz", rapid: "Rapid", classical: "Classical" },
  ratingOf: (category) => `${category} rating`,
  computing: "Computing the new ratings…",
  unchanged: "This game changed no rating.",
};
