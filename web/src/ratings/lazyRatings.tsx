/** Parts about ratings, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./ratingParts").then(({ loadParts }) => loadParts()));

const lazyBoards = lazyComponents(() => import("./LeaderboardPage").then(({ loadPage }) => loadPage()));

export const LeaderboardPage = lazyBoards((Page) => Page, null);
export const OwnRating = lazy(({ OwnRating }) => OwnRating, null);
export const EndRating = lazy(({ EndRating }) => EndRating, <div class="end-rating" />);
