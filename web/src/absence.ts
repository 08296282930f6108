/** Who is not there, and what comes of it. */

import { botCard } from "./i18n";
import { text } from "./i18n/room";
import type { Room } from "./room";
import { secondsUntil } from "./time";
import { nameAt } from "./turn";
import { ABSENCE, type Millis, type Seat } from "./wire";

/** Return the seats of a running game whose people are away. */
export function absent(room: Room): readonly Seat[] {
  if (room.phase !== "playing") return [];
  return room.chairs.flatMap((chair, seat) => (chair?.away && !chair.bot ? [seat] : []));
}

/** Say in plain words what happens because somebody is away. */
export function consequence(room: Room, seat: Seat, now: Millis): string {
  const { gone } = text.value;
  const name = nameAt(room, seat);
  const { until = null, lost = null } = room.chairs[seat] ?? {};
  if (room.table.standin) {
    const bot = botCard(room.table.standin).name;
    const rest = lost === null ? 0 : secondsUntil(lost + ABSENCE, now);
    return rest > 0 ? gone.standinSoon(name, bot, rest) : gone.standin(name, bot);
  }
  return until === null ? gone.waits(name) : gone.forfeits(name, secondsUntil(until, now));
}
