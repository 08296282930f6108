/** Lessons, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./learnParts"));

export const LearnPage = lazy(({ LearnPage: Page }) => Page, null);
export const LearnDialog = lazy(({ LearnDialog: Whole }) => Whole, null);
