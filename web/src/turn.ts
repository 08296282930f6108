/** Whose turn it is, and what people are called. */

import { botCard, words } from "./i18n";
import type { Room } from "./room";
import type { Seen } from "./store";
import type { Seat } from "./wire";

/** Tell whether a table waits for us and for nobody else. */
export function yourTurn(seen: Seen): boolean {
  const { room, you, replaced } = seen;
  return you !== null && !replaced && room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === you;
}

/** Tell whether we sit here and wait for somebody to come. */
export function waitsFor({ room, you }: Seen): boolean {
  return room.phase === "waiting" && you !== null && room.chairs.includes(null);
}

/** Return the name at a seat; bots of one kind are numbered where there are several. */
export function nameAt(room: Room, seat: Seat): string {
  const chair = room.chairs[seat];
  if (!chair || chair.vacant) return words.value.table.emptySeat;
  if (!chair.bot) return chair.name;
  const { name } = botCard(chair.bot);
  const same = room.chairs.flatMap((other, number) => (other?.bot === chair.bot ? [number] : []));
  return same.length > 1 ? `${name} ${same.indexOf(seat) + 1}` : name;
}

/** Return the seats from the top of the page to the bottom: ours comes last. */
export function topDown(room: Room, you: Seat | null): readonly Seat[] {
  const seats = room.chairs.map((_, seat) => seat);
  return you === null ? seats : [...seats.slice(you + 1), ...seats.slice(0, you), you];
}
