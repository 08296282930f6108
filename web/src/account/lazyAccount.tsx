/** The account page, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./AccountPage").then(({ loadPage }) => loadPage()));

export const AccountPage = lazy((Page) => Page, null);
