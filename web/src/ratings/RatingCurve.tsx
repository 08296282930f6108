/** The course of a rating; the numbers beside it say the rest. */

import { curvePath } from "./ratingsApi";

export function RatingCurve({ curve }: { curve: Parameters<typeof curvePath>[0] }) {
  return (
    <svg class="rating-curve" viewBox="0 0 260 34" preserveAspectRatio="none" aria-hidden="true">
      {curve.length > 1 && (
        <>
          <path class="rating-area" d={`${curvePath(curve)}V34H0z`} />
          <path class="rating-line" d={curvePath(curve)} vector-effect="non-scaling-stroke" />
        </>
      )}
    </svg>
  );
}
