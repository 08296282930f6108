/** The own rating in a category, beside the choice of a rated game. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RatingTexts } from "../i18n/types/ratings";
import { retryingFetch } from "../net/retryingFetch";
import { state } from "../net/session";
import { categoryName } from "./categoryName";
import { ProvisionalMark } from "./EndRating";
import { fetchRatings, START_RATING, type Rating } from "./ratingsApi";

/** The ratings of the user as of the last request, and whose they are. */
const own = signal<{ name: string; ratings: readonly Rating[] }>({ name: "", ratings: [] });

/** Nothing for a choice that cannot be rated, and until the ratings are known. */
export function OwnRating({ text, category }: { text: RatingTexts; category: string }) {
  const { name } = state.value;
  useEffect(() => {
    const leaving = new AbortController();
    void fetchRatings(name, retryingFetch(() => undefined, leaving.signal)).then((ratings) => {
      if (!leaving.signal.aborted) own.value = { name, ratings };
    });
    return () => leaving.abort();
  }, [name]);
  if (!category || own.value.name !== name) return null;
  const rating = own.value.ratings.find((one) => one.category === category);
  return (
    <span class="own-rating">
      {text.yourRatingOf(categoryName(category, text))}
      <b>
        {Math.round(rating?.rating ?? START_RATING)}
        {rating?.provisional !== false && <ProvisionalMark text={text} />}
      </b>
    </span>
  );
}
