/** Type of the texts about ratings; they are loaded where ratings are shown at length. */

type Count = (count: number) => string;

export interface RatingTexts {
  ratings: string;
  ratedGames: Count;
  /** Of a rating that is not settled yet. */
  provisional: string;
  speeds: Record<"bullet" | "blitz" | "rapid" | "classical", string>;
  /** The rating in a category. */
  ratingOf: (category: string) => string;
  /** Before the own rating in a category. */
  yourRatingOf: (category: string) => string;
  /** After a game, until the new rating is known. */
  computing: string;
  /** After a game that did not count. */
  unchanged: string;
  leaderboards: string;
  categories: string;
  loading: string;
  failed: string;
  /** How many players a leaderboard counts. */
  players: Count;
  place: string;
  player: string;
  rating: string;
  games: string;
  /** When somebody last played a rated game. */
  last: string;
  distribution: string;
  /** Heading of the numbers of players. */
  playersHead: string;
  yours: string;
  /** Percent of so many others. */
  betterThan: (percent: number, others: number) => string;
  /** Why the user has no place. */
  standing: Record<"none" | "provisional" | "inactive", string>;
  /** Who is on a leaderboard. */
  rule: string;
  /** On an empty leaderboard. */
  nobody: string;
  howTo: string;
}
