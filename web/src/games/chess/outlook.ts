/** How the reader looks at the board. */

import { signal } from "@preact/signals";
import type { Seat } from "../../wire";
import type { ChessScene } from "./lookback";

/** The table whose board is turned round. */
export const turned = signal<string | null>(null);
/** After a game in fog: whether the board is shown as its reader saw it. */
export const asSeen = signal(false);

/** Return the seat at the lower side of the board: our own, or white. */
export function below({ room, position, you }: ChessScene): Seat {
  const natural = you ?? position?.white ?? 0;
  return turned.value === room.id ? 1 - natural : natural;
}
