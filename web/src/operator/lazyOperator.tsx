/** The page of operators and moderators, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./OperatorPage").then(({ loadPage }) => loadPage()));

export const OperatorPage = lazy((Page) => Page, null);
