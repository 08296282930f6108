/** Settings of boards and tables: coordinates, confirmation of moves, zen mode. */

import { setting } from "./setting";

/** Whether boards show coordinates. */
export const coordinates = setting("coordinates", true);
/** Whether a move waits until it is confirmed. */
export const confirmMoves = setting("confirmMoves", false);
/** Whether a table in play shows only board, players, clocks and actions. */
export const zenMode = setting("zenMode", false);
