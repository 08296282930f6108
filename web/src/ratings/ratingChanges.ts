/** What finished games changed, as far as this page has asked. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RoomId, Seat } from "../net/protocol";

/** What a game changed for the player of a seat. */
export interface RatingChange {
  seat: Seat;
  name: string;
  after: number;
  change: number;
  provisional: boolean;
}

/** The category of a game, and its changes; none of them if it did not count. */
export interface GameRatings {
  category: string;
  changes: readonly RatingChange[];
}

/** By room and match. */
export const ratingChanges = signal<Readonly<Record<string, GameRatings>>>({});

/** Return what a finished game of a rated table changed; it is asked for once `ended` is true. */
export function useRatingChanges(room: RoomId, match: number, ended: boolean): GameRatings | undefined {
  useEffect(() => {
    if (ended) void import("./fetchChanges").then(({ addRatingChanges }) => addRatingChanges(room, match));
  }, [room, match, ended]);
  return ended ? ratingChanges.value[`${room} ${match}`] : undefined;
}

/** Return the rating of a seat after a game, and its change, as `RatingText` shows them. */
export function ratingAfter(found: GameRatings | undefined, seat: Seat) {
  const own = found?.changes.find((one) => one.seat === seat);
  return own && { rating: { rating: Math.round(own.after), provisional: own.provisional }, change: own.change };
}
