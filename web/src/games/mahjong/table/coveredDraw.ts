/** A drawn tile kept face down until its owner turns it. */

import { signal } from "@preact/signals";
import type { Room } from "../../../net/roomReducer";
import { autoActions, displaySettings } from "../autoActions";
import type { FullPosition, FullPrivateView } from "../position";

/** The last draw that was turned over. */
const turnedDraw = signal("");

/** Return a key for the current draw. */
function drawKey({ id, match }: Room, { place, streak, left }: FullPosition): string {
  return [id, match, place, streak, left].join("/");
}

/** Tell whether new draws are face down; not while auto-discard is on. */
export function drawsCovered(): boolean {
  return !displaySettings.value.autoDraw && !autoActions.value.autoDiscard;
}

/** Tell whether the user's draw is face down. */
export function isCovered(room: Room, game: FullPosition, privateView: FullPrivateView | null): boolean {
  return drawsCovered() && game.stage === "discarding" && privateView !== null && privateView.drawn !== null && turnedDraw.value !== drawKey(room, game);
}

/** Turn over the user's draw. */
export function turnDraw(room: Room, game: FullPosition): void {
  turnedDraw.value = drawKey(room, game);
}

/** Return the private view without what the face-down tile would reveal. */
export function withoutCoveredDraw(privateView: FullPrivateView): FullPrivateView {
  return { ...privateView, drawn: null, hu: false, kongs: [], readies: [], barred: [], hints: null };
}
