/** Parts about ratings, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./ratingParts").then(({ loadParts }) => loadParts()));

export const EndRating = lazy(({ EndRating }) => EndRating, <div class="end-rating" />);
