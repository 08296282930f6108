/** Scores and their changes as texts. */

/** Cached, because it is expensive. */
const NUMBERS = new Intl.NumberFormat("en");

/** Return a score with a minus sign, not a hyphen. */
export function scoreText(score: number): string {
  return score < 0 ? `−${NUMBERS.format(-score)}` : NUMBERS.format(score);
}

/** Return a change of a score, with its sign. */
export function changeText(change: number): string {
  return change > 0 ? `+${scoreText(change)}` : scoreText(change);
}
