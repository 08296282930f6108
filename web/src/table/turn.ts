/** Whose turn it is, player names, order of seats on the screen. */

import { partsOf } from "../games/gameRegistry";
import { botTexts, shownName, texts } from "../i18n/language";
import type { Room } from "../net/roomReducer";
import type { TableState } from "../net/store";
import type { Seat } from "../net/protocol";

/** Tell whether it is the user's turn and nobody else's. */
export function isYourTurn(seen: TableState): boolean {
  const { room, you, replaced } = seen;
  return you !== null && !replaced && room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === you;
}

/** Tell whether the user has a seat and the table waits for players. */
export function isWaitingForPlayers({ room, you }: TableState): boolean {
  return room.phase === "waiting" && you !== null && room.seats.includes(null);
}

/** Return the name at a seat, after a game also of a player who has left; several bots of one kind are numbered. */
export function nameAt(room: Room, seat: Seat): string {
  const taken = room.seats[seat] ?? (room.phase === "over" ? room.players[seat] : null);
  if (!taken || taken.reserved) return texts.value.table.emptySeat;
  if (!taken.bot) return shownName(taken.name);
  const { name } = botTexts(room.game, taken.bot);
  const same = room.seats.flatMap((other, number) => (other?.bot === taken.bot ? [number] : []));
  return same.length > 1 ? `${name} ${same.indexOf(seat) + 1}` : name;
}

/** Tell whether a move was made in the present game; one without is not worth a replay. */
export function isBegun({ game, position }: Room): boolean {
  return position !== null && (partsOf(game)?.hasMoves?.(position) ?? true);
}

/** Return the seats from top to bottom; the user's own is last. */
export function seatsTopDown(room: Room, you: Seat | null): readonly Seat[] {
  const seats = room.seats.map((_, seat) => seat);
  return you === null ? seats : [...seats.slice(you + 1), ...seats.slice(0, you), you];
}
