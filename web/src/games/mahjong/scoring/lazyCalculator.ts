/** The score calculator, loaded when it is opened. */

import { lazyComponents } from "../../../common/lazyComponent";

export const ScoreCalculator = lazyComponents(() => import("./ScoreCalculator"))(({ ScoreCalculator: Whole }) => Whole, null);
