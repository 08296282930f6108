/** The new rating of the user after a game, with the change and the course of the last games. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RatingTexts } from "../i18n/types/ratings";
import type { Seat } from "../net/protocol";
import type { Room } from "../net/roomReducer";
import { retryingFetch } from "../net/retryingFetch";
import { categoryName } from "./categoryName";
import { RatingCurve } from "./RatingCurve";
import { changeText } from "./RatingText";
import { useRatingChanges } from "./ratingChanges";
import { fetchRatings, type Rating } from "./ratingsApi";
import "./styles/rating.css";
import "./styles/end-rating.css";

/** Points of the curve in the small space. */
const SHOWN = 12;

export interface EndRatingProps {
  room: Room;
  seat: Seat;
}

export function EndRating({ text, room, seat }: EndRatingProps & { text: RatingTexts }) {
  const found = useRatingChanges(room.id, room.match, true);
  const own = found?.changes.find((one) => one.seat === seat);
  const curve = useSignal<Rating["curve"]>([]);
  useEffect(() => {
    if (!own) return;
    const leaving = new AbortController();
    void fetchRatings(own.name, retryingFetch(() => undefined, leaving.signal)).then((ratings) => {
      if (!leaving.signal.aborted) curve.value = ratings.find(({ category }) => category === found?.category)?.curve.slice(-SHOWN) ?? [];
    });
    return () => leaving.abort();
  }, [own]);
  if (!own) {
    return (
      <div class="end-rating" role="status">
        <span class="soft">{found ? text.unchanged : text.computing}</span>
      </div>
    );
  }
  return (
    <div class={own.provisional ? "end-rating rating-provisional" : "end-rating"} role="status">
      <p>
        <span class="soft">{text.ratingOf(categoryName(found!.category, text))}</span>
        <span class="rating-number">
          {Math.round(own.after)}
          {own.provisional && <ProvisionalMark text={text} />}
          <small class={own.change < 0 ? "rating-loss" : "rating-gain"}> {changeText(own.change)}</small>
        </span>
      </p>
      <RatingCurve curve={curve.value} />
    </div>
  );
}

/** The question mark after a rating, in words for screen readers. */
export function ProvisionalMark({ text }: { text: RatingTexts }) {
  return (
    <>
      <span aria-hidden="true">?</span>
      <span class="hidden"> {text.provisional}</span>
    </>
  );
}
