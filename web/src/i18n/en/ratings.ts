/** Texts about ratings, English. */

import type { RatingTexts } from "../types/ratings";

export const ratings: RatingTexts = {
  ratings: "Ratings",
  ratedGames: (count) => (count === 1 ? "1 game" : `${count} games`),
  provisional: "not settled yet",
  speeds: { bullet: "Bullet", blitz: "Blitz", rapid: "Rapid", classical: "Classical" },
  ratingOf: (category) => `${category} rating`,
  yourRatingOf: (category) => `Your ${category} rating: `,
  computing: "Computing the new ratings…",
  unchanged: "This game changed no rating.",
  leaderboards: "Leaderboards",
  categories: "Category",
  loading: "Loading the leaderboard…",
  failed: "The leaderboard could not be loaded. Check your connection and try again.",
  players: (count) => (count === 1 ? "1 player" : `${count} players`),
  place: "Place",
  player: "Player",
  rating: "Rating",
  games: "Games",
  last: "Last game",
  distribution: "Distribution",
  playersHead: "Players",
  yours: "Your rating",
  betterThan: (percent, others) => `Better than ${percent}\u00a0% of ${others === 1 ? "1 other player" : `${others} other players`}.`,
  standing: {
    none: "You have no rating here yet. Play a rated game of this kind.",
    provisional: "It is not settled yet. Every rated game makes it surer; without the question mark you are on the leaderboard.",
    inactive: "Your last rated game was more than 60 days ago. One game brings you back.",
  },
  rule: "Here are players with a settled rating, without a question mark, who have played a rated game within 60 days.",
  nobody: "Nobody is on this leaderboard yet",
  howTo: "Choose “Rated” for a new table or for “Play anyone”. After some rated games your rating is settled, and you are here.",
};
