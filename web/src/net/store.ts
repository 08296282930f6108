/** State of the page, and how notices change it. */

import { applyNotice, completeRoom, type Room } from "./roomReducer";
import type { GameDescription, RoomEvents, Intent, LobbyRow, Notice, Refusal, RoomId, Seat, FullRoom, Welcome, SpectatorChat } from "./protocol";
import { CHAT_TAIL } from "./protocol";

/** A table that this page shows. */
export interface TableState {
  room: Room;
  version: number;
  you: Seat | null;
  /** A version is missing; a resume was sent. */
  behind: boolean;
  /** Another tab has taken over this table. */
  replaced: boolean;
  /** The seat has moved to another device. */
  seatMoved: boolean;
  /** The last events, for announcements. */
  last: RoomEvents | null;
}

export interface State {
  name: string;
  /** Whether the name is that of an account. */
  account: boolean;
  games: readonly GameDescription[];
  /** Tables where the user has a seat. */
  myRooms: readonly RoomId[];
  lobby: ReadonlyMap<RoomId, LobbyRow> | null;
  online: number;
  /** The featured room; undefined until the server has sent it, null if there is none. */
  featured: Room | null | undefined;
  tables: Readonly<Record<RoomId, TableState>>;
  /** Tables that could not be opened, by id or code. */
  closed: Readonly<Record<string, Refusal>>;
}

export const EMPTY_STATE: State = {
  name: "",
  account: false,
  games: [],
  myRooms: [],
  lobby: null,
  online: 0,
  featured: undefined,
  tables: {},
  closed: {},
};

/** The next state, and intents that must be sent. */
export interface Reduced {
  state: State;
  intents: readonly Intent[];
}

/** Return the state after a notice. */
export function reduce(state: State, notice: Notice): Reduced {
  switch (notice.type) {
    case "welcome":
      return withoutIntents(withWelcome(state, notice));
    case "room":
      return withoutIntents(withRoom(state, notice));
    case "events":
      return withEvents(state, notice);
    case "unchanged":
      return withUnchanged(state, notice.room, notice.version);
    case "left":
      if (notice.reason === "transferred") return withoutIntents(withSeatMoved(state, notice.room));
      return withoutIntents(withLeft(state, notice.room, notice.replaced ?? false));
    case "lobby": {
      const rows = new Map(notice.full ? [] : (state.lobby ?? []));
      for (const room of notice.gone ?? []) rows.delete(room);
      for (const row of notice.rooms ?? []) rows.set(row.id, row);
      return withoutIntents({ ...state, online: notice.online, lobby: rows });
    }
    case "featured":
      return withoutIntents({ ...state, featured: notice.room && completeRoom(notice.room) });
    case "refused":
      return withoutIntents(withRefusal(state, notice.code, notice.room, notice.nonce));
    case "spectator_chat":
      return withoutIntents(withSpectatorChat(state, notice));
    case "spectators": {
      const seen = state.tables[notice.room];
      return withoutIntents(seen ? withTable(state, { ...seen, room: { ...seen.room, spectators: notice.spectators } }) : state);
    }
    case "ratings": {
      const seen = state.tables[notice.room];
      return withoutIntents(seen ? withTable(state, { ...seen, room: { ...seen.room, ratings: notice.ratings } }) : state);
    }
    case "pong":
    case "ticket":
      return withoutIntents(state);
    default:
      return withoutIntents(state);
  }
}

/** Return the state without a table, as when its page is closed. */
export function withoutTable(state: State, room: RoomId): State {
  const { [room]: _, ...tables } = state.tables;
  const { [room]: __, ...closed } = state.closed;
  return { ...state, tables, closed };
}

/** Return the state without spectator counts, as after a reconnect; the server sends them again. */
export function withoutSpectating(state: State): State {
  const tables = Object.values(state.tables).map((seen) => [seen.room.id, { ...seen, room: { ...seen.room, spectators: 0 } }]);
  return { ...state, tables: Object.fromEntries(tables) as State["tables"] };
}

/** Return the state with tables that wait for the full room: to the server, version 0 means that nothing was seen. */
export function withOutdatedTables(state: State, outdated: readonly TableState[]): State {
  return outdated.reduce((now, seen) => withTable(now, { ...seen, version: 0, behind: true }), state);
}

function withoutIntents(state: State): Reduced {
  return { state, intents: [] };
}

function withWelcome(state: State, notice: Welcome): State {
  return { ...state, name: notice.name, account: notice.account, games: notice.games, myRooms: notice.rooms };
}

function withRoom(state: State, notice: FullRoom): State {
  const { version, you } = notice;
  const known = state.tables[notice.room.id];
  const room = withKnownPlayers(completeRoom(notice.room), known?.room);
  const seatMoved = you === null && known?.seatMoved === true;
  const seen: TableState = { room, version, you, behind: false, replaced: false, seatMoved, last: known?.last ?? null };
  const myRooms = you === null || state.myRooms.includes(room.id) ? state.myRooms : [...state.myRooms, room.id];
  const { [room.id]: _, [room.code]: __, ...closed } = state.closed;
  return { ...state, myRooms, tables: { ...state.tables, [room.id]: seen }, closed };
}

/** A room that is sent again does not tell who has left. */
function withKnownPlayers(room: Room, known: Room | undefined): Room {
  if (known?.match !== room.match) return room;
  return { ...room, players: room.players.map((player, seat) => player ?? known.players[seat] ?? null) };
}

function withEvents(state: State, notice: RoomEvents): Reduced {
  const seen = state.tables[notice.room];
  if (seen === undefined || notice.version <= seen.version) return withoutIntents(state);
  if (notice.version > seen.version + 1) return requestResume(state, seen);
  const room = applyNotice(seen.room, notice);
  const you = seen.you !== null && room.seats[seen.you] ? seen.you : null;
  const next = { ...seen, room, you, version: notice.version, behind: false, last: notice };
  return withoutIntents(withTable(state, next));
}

/** `unchanged` also answers a resume that missed nothing. */
function withUnchanged(state: State, id: RoomId, version: number): Reduced {
  const seen = state.tables[id];
  if (seen === undefined) return withoutIntents(state);
  if (version > seen.version) return requestResume(state, seen);
  return withoutIntents(seen.behind ? withTable(state, { ...seen, behind: false }) : state);
}

function requestResume(state: State, seen: TableState): Reduced {
  if (seen.behind) return withoutIntents(state);
  return {
    state: withTable(state, { ...seen, behind: true }),
    intents: [{ type: "resume", room: seen.room.id, version: seen.version }],
  };
}

function withLeft(state: State, room: RoomId, replaced: boolean): State {
  const seen = state.tables[room];
  if (replaced) return seen ? withTable(state, { ...seen, replaced: true }) : state;
  return { ...withoutTable(state, room), myRooms: state.myRooms.filter((id) => id !== room) };
}

/** Another device has the seat; the table stays visible. */
function withSeatMoved(state: State, room: RoomId): State {
  const seen = state.tables[room];
  const myRooms = state.myRooms.filter((id) => id !== room);
  return seen ? { ...withTable(state, { ...seen, you: null, seatMoved: true }), myRooms } : { ...state, myRooms };
}

function withSpectatorChat(state: State, { room: id, line }: SpectatorChat): State {
  const seen = state.tables[id];
  if (seen === undefined) return state;
  const chat = [...seen.room.chat, line].slice(-CHAT_TAIL);
  return withTable(state, { ...seen, room: { ...seen.room, chat } });
}

/** Only refusals about a table itself are kept; those of a command are shown once. */
function withRefusal(state: State, code: Refusal, room: string | undefined, nonce: string | undefined): State {
  if (!room) return state;
  const closedForGood = code === "no_such_room" || code === "room_closed";
  if (!closedForGood && (nonce || state.tables[room])) return state;
  const { [room]: _, ...tables } = state.tables;
  const myRooms = closedForGood ? state.myRooms.filter((id) => id !== room) : state.myRooms;
  return { ...state, myRooms, tables, closed: { ...state.closed, [room]: code } };
}

function withTable(state: State, seen: TableState): State {
  return { ...state, tables: { ...state.tables, [seen.room.id]: seen } };
}
