/** Which players are disconnected, and what happens if they stay away. */

import { botTexts, texts } from "../i18n/language";
import type { Room } from "../net/roomReducer";
import { secondsUntil } from "../net/serverTime";
import { nameAt } from "./turn";
import { ABSENCE, type Millis, type Seat } from "../net/protocol";

/** Return the seats of disconnected players in a running game. */
export function absentPlayers(room: Room): readonly Seat[] {
  if (room.phase !== "playing") return [];
  return room.seats.flatMap((taken, seat) => (taken?.disconnected && !taken.bot ? [seat] : []));
}

/** Return what happens because a player is disconnected. */
export function absenceText(room: Room, seat: Seat, now: Millis): string {
  const { absence } = texts.value;
  const name = nameAt(room, seat);
  const { forfeits_at: until = null, disconnected_at: lost = null } = room.seats[seat] ?? {};
  if (room.table.substitute_bot) {
    const bot = botTexts(room.game, room.table.substitute_bot).name;
    const rest = lost === null ? 0 : secondsUntil(lost + ABSENCE, now);
    return rest > 0 ? absence.substituteSoon(name, bot, rest) : absence.substitute(name, bot);
  }
  return until === null ? absence.waits(name) : absence.forfeits(name, secondsUntil(until, now));
}
