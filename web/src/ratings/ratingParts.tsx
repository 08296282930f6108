/** Parts about ratings with their texts, which are loaded with them. */

import { lazyTexts } from "../i18n/lazyTexts";
import type { RatingTexts } from "../i18n/types/ratings";
import { EndRating, type EndRatingProps } from "./EndRating";
import { OwnRating } from "./OwnRating";

export const loadRatingTexts = () => lazyTexts(import.meta.glob<RatingTexts>("../i18n/*/ratings.ts", { import: "ratings" }));

/** Load the texts, and return the parts. */
export async function loadParts() {
  const texts = await loadRatingTexts();
  return {
    EndRating: (props: EndRatingProps) => <EndRating text={texts.value} {...props} />,
    OwnRating: ({ category }: { category: string }) => <OwnRating text={texts.value} category={category} />,
  };
}
