/** How long a table has waited for somebody. */

import type { Millis, RoomId } from "./wire";

/** When each table was first seen, where the server does not say when it was opened. */
const seen = new Map<RoomId, Millis>();

/** Return since when a table waits, as far as this page can know. */
export function waitsSince({ id, since }: { id: RoomId; since?: Millis }, now: Millis): Millis {
  if (since) return since;
  if (!seen.has(id)) seen.set(id, now);
  return seen.get(id)!;
}

/** Return a wait as people read it: minutes and seconds. */
export function waitText(waited: Millis): string {
  const seconds = Math.max(0, Math.floor(waited / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
