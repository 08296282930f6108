/** A drawn tile that lies face down until its owner takes it. For the others he has drawn it all the same. */

import { signal } from "@preact/signals";
import type { Room } from "../../room";
import { habits, shown } from "./habits";
import type { Full, FullOwn } from "./position";

/** The last draw that was looked at. */
const taken = signal("");

/** Return which draw of a table this is. */
function drawOf({ id, match }: Room, { place, streak, left }: Full): string {
  return [id, match, place, streak, left].join("/");
}

/** Tell whether what we draw now lies face down at first; whoever discards all that comes need not look. */
export function drawsCovered(): boolean {
  return !shown.value.drawing && !habits.value.discarding;
}

/** Tell whether our draw lies face down. */
export function isCovered(room: Room, game: Full, own: FullOwn | null): boolean {
  return drawsCovered() && game.stage === "discarding" && own !== null && own.drawn !== null && taken.value !== drawOf(room, game);
}

/** Look at our draw. */
export function take(room: Room, game: Full): void {
  taken.value = drawOf(room, game);
}

/** Return our own part without what only the covered tile tells. */
export function veiled(own: FullOwn): FullOwn {
  return { ...own, drawn: null, hu: false, kongs: [], readies: [], barred: [], hints: null };
}
