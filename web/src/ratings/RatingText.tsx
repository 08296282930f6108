/** A rating beside a name, and by how much a game changed it. */

import { texts } from "../i18n/language";
import type { Seat, SeatRating } from "../net/protocol";
import type { Room } from "../net/roomReducer";
import { ratingAfter, useRatingChanges } from "./ratingChanges";

/** Return a change with its sign; it is rounded as ratings are. */
export function changeText(change: number): string {
  const points = Math.round(change);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "±0";
}

export function RatingText({ rating, change }: { rating?: SeatRating | null | undefined; change?: number }) {
  if (!rating) return null;
  const { rated } = texts.value;
  return (
    <small class="rating-text">
      <span class="hidden">{rated.rating} </span>
      {rating.about ? rated.about(rating.rating) : rating.rating}
      {rating.provisional && (
        <>
          <span aria-hidden="true">?</span>
          <span class="hidden"> {rated.provisional}</span>
        </>
      )}
      {change !== undefined && <b class={change < 0 ? "rating-loss" : "rating-gain"}> ({changeText(change)})</b>}
    </small>
  );
}

/** The rating of a player at a table; when the game is over, the new one and the change. */
export function SeatRatingText({ room: { id, match, table, phase, ratings }, seat }: { room: Room; seat: Seat }) {
  const after = ratingAfter(useRatingChanges(id, match, table.rated === true && phase === "over"), seat);
  return <RatingText {...(after ?? { rating: ratings[seat] })} />;
}
