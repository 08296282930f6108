/** Parts of a table in play that are loaded when first needed. */

import "./zen.css";

export { DraftControls } from "./DraftControls";
export { LowTimeWarning } from "./LowTimeWarning";
/** Loads the look of zen mode. */
export const ZenStyles = () => null;
