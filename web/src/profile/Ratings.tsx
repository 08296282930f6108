/** The ratings of a person, each with its curve; nothing where the server has none. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { GameIcon } from "../common/GameIcon";
import type { RatingTexts } from "../i18n/types/ratings";
import { retryingFetch } from "../net/retryingFetch";
import { categoryName, gameOf } from "../ratings/categoryName";
import { ProvisionalMark } from "../ratings/EndRating";
import { RatingCurve } from "../ratings/RatingCurve";
import { changeText } from "../ratings/RatingText";
import { fetchRatings, type Rating } from "../ratings/ratingsApi";

export function Ratings({ text, name }: { text: RatingTexts; name: string }) {
  const found = useSignal<readonly Rating[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    void fetchRatings(name, retryingFetch(() => undefined, leaving.signal)).then((ratings) => {
      if (!leaving.signal.aborted) found.value = ratings;
    });
    return () => leaving.abort();
  }, [name]);
  if (found.value.length === 0) return null;
  return (
    <ul class="ratings" aria-label={text.ratings}>
      {found.value.map((rating) => (
        <RatingCard key={rating.category} text={text} rating={rating} />
      ))}
    </ul>
  );
}

function RatingCard({ text, rating }: { text: RatingTexts; rating: Rating }) {
  const change = Math.round(rating.change);
  return (
    <li class={`profile-card rating ${rating.provisional ? "rating-provisional" : ""}`}>
      <h2>
        <GameIcon game={gameOf(rating.category)} /> {categoryName(rating.category, text)}
      </h2>
      <p class="rating-number">
        {Math.round(rating.rating)}
        {rating.provisional && <ProvisionalMark text={text} />}
        {change !== 0 && <small class={change > 0 ? "number-won" : "number-lost"}> {changeText(change)}</small>}
      </p>
      <p class="soft">{text.ratedGames(rating.games)}</p>
      <RatingCurve curve={rating.curve} />
    </li>
  );
}
