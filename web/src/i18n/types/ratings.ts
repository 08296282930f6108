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
  /** After a game, until the new rating is known. */
  computing: string;
  /** After a game that did not count. */
  unchanged: string;
}
