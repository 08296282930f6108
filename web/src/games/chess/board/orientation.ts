/** Board orientation, and whether fog is shown as a player saw it. */

import { signal } from "@preact/signals";
import type { Seat } from "../../../net/protocol";
import type { ChessScene } from "../moveNavigation";

/** Room whose board is flipped. */
export const isFlipped = signal<string | null>(null);
/** After a game in fog: whether the board is shown as the user saw it. */
export const showFogAsSeen = signal(false);

/** Return the seat at the bottom: the user's own, also in a replay, or white. */
export function bottomSeat({ room, position, you, facing }: ChessScene): Seat {
  const natural = you ?? facing ?? position?.white ?? 0;
  return isFlipped.value === room.id ? 1 - natural : natural;
}
