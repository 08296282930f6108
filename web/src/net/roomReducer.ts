/** A room, and how its events change it. */

import { reducePosition } from "../games/gameReducers";
import type { AnyEvent, SeatView, RoomEvents, Millis, OfferView, RoomEvent, RoomView, Seat } from "./protocol";
import { CHAT_TAIL } from "./protocol";

/** A room view with every default filled in; no event keeps `undos` up to date, and the page does not show it. */
export interface Room extends Required<Omit<RoomView, "undos">> {
  /** The players of the game, also those who have left since. */
  players: Room["seats"];
}

/** Fill in the defaults that the server omits. */
export function completeRoom(view: RoomView): Room {
  return {
    position: null,
    to_act: [],
    clock: null,
    offers: [],
    chat: [],
    result: null,
    seed: "",
    host: 0,
    phrases_only: false,
    spectators: 0,
    ratings: [],
    players: view.seats,
    ...view,
  };
}

/** Return the room after all events of a notice. */
export function applyNotice(room: Room, notice: RoomEvents): Room {
  const next = notice.events.reduce((now, event) => applyEvent(now, event, notice.at), room);
  const clock = notice.clock ?? (next.clock && stoppedClock(next.clock, next));
  return { ...next, to_act: notice.to_act, clock };
}

/** Return the room after one event at time `at`; an unknown event changes nothing. */
export function applyEvent(room: Room, event: RoomEvent | AnyEvent, at: Millis | null = null): Room {
  switch (event.e) {
    case "seat_taken": {
      const { e: _, seat, ...taken } = event;
      const seats = withSeat(room.seats, seat, taken);
      const players = room.phase === "playing" ? withSeat(room.players, seat, taken) : room.players;
      return { ...room, seats, players, phase: seats.includes(null) || (room.table.legacy?.host_starts && room.phase !== "playing") ? "waiting" : room.phase };
    }
    case "seat_left":
      return { ...room, seats: withSeat(room.seats, event.seat, null) };
    case "game_started": {
      const { match, commitment, position } = event;
      return { ...room, match, commitment, position, players: room.seats, phase: "playing", result: null, seed: "", offers: [] };
    }
    case "options_chosen":
      return { ...room, options: event.options, table: { ...room.table, clock: event.clock } };
    case "host_changed":
      return { ...room, host: event.seat };
    case "move_undone":
    case "sides_swapped":
    case "secrets_revealed":
      return { ...room, position: event.position };
    case "offer_made":
      return { ...room, offers: [...room.offers, event.offer] };
    case "offer_answered":
      return { ...room, offers: withOfferAnswer(room.offers, event.offer, event.seat, event.yes) };
    case "offer_ended":
      return { ...room, offers: room.offers.filter((offer) => offer.id !== event.offer) };
    case "said":
      return { ...room, chat: [...room.chat, event.line].slice(-CHAT_TAIL) };
    case "phrases_only_set":
      return { ...room, phrases_only: event.on };
    case "disconnected":
      return { ...room, seats: withPresence(room, event.seat, { disconnected: true, disconnected_at: at, forfeits_at: event.forfeits_at }) };
    case "reconnected":
      return { ...room, seats: withPresence(room, event.seat, { disconnected: false, disconnected_at: null, forfeits_at: null }) };
    case "game_over": {
      const { winners, reason, seed } = event;
      return { ...room, phase: "over", result: { winners, reason }, seed, offers: [] };
    }
    case "closed":
      return { ...room, phase: "closed", offers: [] };
    case "outage_ended":
      return room;
    default:
      return withGameEvent(room, event);
  }
}

function withGameEvent(room: Room, event: AnyEvent): Room {
  return room.position === null ? room : { ...room, position: reducePosition(room.game, room.position, event) };
}

function stoppedClock(clock: NonNullable<Room["clock"]>, room: Room): Room["clock"] {
  return room.phase === "playing" ? clock : { ...clock, running: [] };
}

function withSeat(seats: Room["seats"], seat: Seat, taken: SeatView | null): Room["seats"] {
  return seats.map((old, number) => (number === seat ? taken : old));
}

function withPresence(room: Room, seat: Seat, presence: Pick<SeatView, "disconnected" | "disconnected_at" | "forfeits_at">): Room["seats"] {
  const taken = room.seats[seat];
  return taken ? withSeat(room.seats, seat, { ...taken, ...presence }) : room.seats;
}

function withOfferAnswer(offers: readonly OfferView[], id: number, seat: Seat, yes: boolean): readonly OfferView[] {
  return offers
    .map((offer) => (offer.id === id ? { ...offer, asked: offer.asked.filter((one) => one !== seat) } : offer))
    .filter((offer) => offer.id !== id || (yes && offer.asked.length > 0));
}
