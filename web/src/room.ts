/** A table and how events change it; no server is needed to know what they mean. */

import { REDUCERS } from "./games/reducers";
import type { AnyEvent, ChairView, Happened, Millis, Offer, RoomEvent, RoomView, Seat } from "./wire";
import { CHAT_TAIL } from "./wire";

/** A room view with nothing left out. */
export type Room = Required<RoomView>;

/** Fill in what the server leaves out. */
export function complete(view: RoomView): Room {
  return {
    position: null,
    to_act: [],
    clock: null,
    offers: [],
    chat: [],
    result: null,
    seed: "",
    host: 0,
    hushed: false,
    watching: 0,
    ...view,
  };
}

/** Return the table after everything a notice tells. */
export function advance(room: Room, notice: Happened): Room {
  const next = notice.events.reduce((now, event) => happen(now, event, notice.at), room);
  const clock = notice.clock ?? (next.clock && stopped(next.clock, next));
  return { ...next, to_act: notice.to_act, clock };
}

/** Return the table after one event that happened at `at`; an unknown one changes nothing. */
export function happen(room: Room, event: RoomEvent | AnyEvent, at: Millis | null = null): Room {
  switch (event.e) {
    case "sat": {
      const { e: _, seat, ...chair } = event;
      const chairs = withChair(room, seat, chair);
      return { ...room, chairs, phase: chairs.includes(null) || (room.table.hosted && room.phase !== "playing") ? "waiting" : room.phase };
    }
    case "stood":
      return { ...room, chairs: withChair(room, event.seat, null) };
    case "dealt": {
      const { match, commitment, position } = event;
      return { ...room, match, commitment, position, phase: "playing", result: null, seed: "", offers: [] };
    }
    case "arranged":
      return { ...room, options: event.options, table: { ...room.table, clock: event.clock } };
    case "hosting":
      return { ...room, host: event.seat };
    case "undone":
    case "swapped":
    case "unveiled":
      return { ...room, position: event.position };
    case "offered":
      return { ...room, offers: [...room.offers, event.offer] };
    case "answered":
      return { ...room, offers: answered(room.offers, event.offer, event.seat, event.yes) };
    case "lapsed":
      return { ...room, offers: room.offers.filter((offer) => offer.id !== event.offer) };
    case "said":
      return { ...room, chat: [...room.chat, event.line].slice(-CHAT_TAIL) };
    case "hushed":
      return { ...room, hushed: event.closed };
    case "away":
      return { ...room, chairs: withPresence(room, event.seat, { away: true, lost: at, until: event.until }) };
    case "back":
      return { ...room, chairs: withPresence(room, event.seat, { away: false, lost: null, until: null }) };
    case "over": {
      const { winners, reason, seed } = event;
      return { ...room, phase: "over", result: { winners, reason }, seed, offers: [] };
    }
    case "closed":
      return { ...room, phase: "closed", offers: [] };
    case "resumed":
      return room;
    default:
      return played(room, event);
  }
}

function played(room: Room, event: AnyEvent): Room {
  const reducer = REDUCERS[room.game as keyof typeof REDUCERS];
  if (reducer === undefined || room.position === null) return room;
  return { ...room, position: reducer(room.position, event) };
}

function stopped(clock: NonNullable<Room["clock"]>, room: Room): Room["clock"] {
  return room.phase === "playing" ? clock : { ...clock, running: [] };
}

function withChair(room: Room, seat: Seat, chair: ChairView | null): Room["chairs"] {
  return room.chairs.map((old, number) => (number === seat ? chair : old));
}

function withPresence(room: Room, seat: Seat, presence: Pick<ChairView, "away" | "lost" | "until">): Room["chairs"] {
  const chair = room.chairs[seat];
  return chair ? withChair(room, seat, { ...chair, ...presence }) : room.chairs;
}

function answered(offers: readonly Offer[], id: number, seat: Seat, yes: boolean): readonly Offer[] {
  return offers
    .map((offer) => (offer.id === id ? { ...offer, asked: offer.asked.filter((one) => one !== seat) } : offer))
    .filter((offer) => offer.id !== id || (yes && offer.asked.length > 0));
}
