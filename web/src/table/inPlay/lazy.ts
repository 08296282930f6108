/** Parts of a table in play that most games do not need at once. */

import { lazyComponents } from "../../common/lazyComponent";

const lazy = lazyComponents(() => import("./lazyParts"));

export const DraftControls = lazy((parts) => parts.DraftControls, null);
export const LowTimeWarning = lazy((parts) => parts.LowTimeWarning, null);
export const ZenStyles = lazy((parts) => parts.ZenStyles, null);
