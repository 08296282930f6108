/** How long a table has waited for a player. */

import type { Millis, RoomId } from "../net/protocol";

/** When each table was first seen, if the server does not send its opening time. */
const firstSeen = new Map<RoomId, Millis>();

/** Return since when a table has been waiting, as far as this page knows. */
export function waitingSince({ id, since }: { id: RoomId; since?: Millis }, now: Millis): Millis {
  if (since) return since;
  if (!firstSeen.has(id)) firstSeen.set(id, now);
  return firstSeen.get(id)!;
}

/** Return a duration as minutes and seconds. */
export function durationText(waited: Millis): string {
  const seconds = Math.max(0, Math.floor(waited / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
