/** The profile page, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";

const lazy = lazyComponents(() => import("./ProfilePage").then(({ loadPage }) => loadPage()));

export const ProfilePage = lazy((Page) => Page, null);
