/** Parts about relations, loaded when first shown: nobody needs them but people with an account. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./relationParts").then(({ loadParts }) => loadParts()));

export const ChallengeNotices = lazy(({ ChallengeNotices }) => ChallengeNotices, null);
export const FollowingPanel = lazy(({ FollowingPanel }) => FollowingPanel, null);
