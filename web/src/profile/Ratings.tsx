/** The ratings of a person, each with its curve; nothing where the server has none. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { GameIcon } from "../common/GameIcon";
import { gameName } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { retryingFetch } from "../net/retryingFetch";
import { curvePath, fetchRatings, type Rating } from "./ratingsApi";
import { twistName } from "./twistName";

export function Ratings({ text, name }: { text: ProfileTexts; name: string }) {
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

function RatingCard({ text, rating }: { text: ProfileTexts; rating: Rating }) {
  const [game = "", kind = ""] = rating.category.split("-");
  const label = (text.speeds as Partial<Record<string, string>>)[kind] ?? (twistName(game, kind) || gameName(game));
  const shown = Math.round(rating.rating);
  const change = Math.round(rating.change);
  return (
    <li class={`profile-card rating ${rating.provisional ? "rating-provisional" : ""}`}>
      <h2>
        <GameIcon game={game} /> {label}
      </h2>
      <p class="rating-number">
        {shown}
        {rating.provisional && (
          <>
            <span aria-hidden="true">?</span>
            <span class="hidden"> {text.provisional}</span>
          </>
        )}
        {change !== 0 && <small class={change > 0 ? "number-won" : "number-lost"}> {change > 0 ? `+${change}` : `−${-change}`}</small>}
      </p>
      <p class="soft">{text.ratedGames(rating.games)}</p>
      <svg class="rating-curve" viewBox="0 0 260 34" preserveAspectRatio="none" aria-hidden="true">
        {rating.curve.length > 1 && (
          <>
            <path class="rating-area" d={`${curvePath(rating.curve)}V34H0z`} />
            <path class="rating-line" d={curvePath(rating.curve)} vector-effect="non-scaling-stroke" />
          </>
        )}
      </svg>
    </li>
  );
}
