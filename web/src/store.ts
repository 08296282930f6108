/** Everything the page knows, and how notices change it. */

import { advance, complete, type Room } from "./room";
import type { GameCard, Happened, Intent, LobbyRow, Notice, Refusal, RoomId, Seat, Shown, Welcome, Whispered } from "./wire";
import { CHAT_TAIL } from "./wire";

/** A table this page is at. */
export interface Seen {
  room: Room;
  version: number;
  you: Seat | null;
  /** A version is missing and has been asked for. */
  behind: boolean;
  /** Another tab took this table over. */
  replaced: boolean;
  /** Our seat went to another device; we may watch. */
  moved: boolean;
  /** The last thing that happened, for announcements. */
  last: Happened | null;
}

export interface State {
  name: string;
  games: readonly GameCard[];
  /** Tables where we have a seat, as of the last welcome. */
  mine: readonly RoomId[];
  lobby: ReadonlyMap<RoomId, LobbyRow> | null;
  online: number;
  tables: Readonly<Record<RoomId, Seen>>;
  /** Tables that could not be opened, by the word they were asked for with. */
  closed: Readonly<Record<string, Refusal>>;
}

export const EMPTY: State = {
  name: "",
  games: [],
  mine: [],
  lobby: null,
  online: 0,
  tables: {},
  closed: {},
};

/** The next state, and what has to be asked because of it. */
export interface Reduced {
  state: State;
  ask: readonly Intent[];
}

/** Return what a notice makes of the state. */
export function reduce(state: State, notice: Notice): Reduced {
  switch (notice.type) {
    case "welcome":
      return only(welcomed(state, notice));
    case "room":
      return only(shown(state, notice));
    case "events":
      return happened(state, notice);
    case "done":
      return caughtUp(state, notice.room, notice.version);
    case "left":
      if (notice.reason === "moved") return only(moved(state, notice.room));
      return only(left(state, notice.room, notice.replaced ?? false));
    case "lobby": {
      const rows = new Map(notice.full ? [] : (state.lobby ?? []));
      for (const room of notice.gone ?? []) rows.delete(room);
      for (const row of notice.rooms ?? []) rows.set(row.id, row);
      return only({ ...state, online: notice.online, lobby: rows });
    }
    case "refused":
      return only(refused(state, notice.code, notice.room, notice.nonce));
    case "whisper":
      return only(whispered(state, notice));
    case "watching": {
      const seen = state.tables[notice.room];
      return only(seen ? withTable(state, { ...seen, room: { ...seen.room, watching: notice.watching } }) : state);
    }
    case "pong":
    case "ticket":
      return only(state);
    default:
      return only(state);
  }
}

/** Return the state without a table, as when its page is closed. */
export function forget(state: State, room: RoomId): State {
  const { [room]: _, ...tables } = state.tables;
  const { [room]: __, ...closed } = state.closed;
  return { ...state, tables, closed };
}

/** Return the state with nobody known to watch, as after a cut: the server tells if anybody does. */
export function unwatched(state: State): State {
  const tables = Object.values(state.tables).map((seen) => [seen.room.id, { ...seen, room: { ...seen.room, watching: 0 } }]);
  return { ...state, tables: Object.fromEntries(tables) as State["tables"] };
}

function only(state: State): Reduced {
  return { state, ask: [] };
}

function welcomed(state: State, notice: Welcome): State {
  return { ...state, name: notice.name, games: notice.games, mine: notice.rooms };
}

function shown(state: State, notice: Shown): State {
  const { version, you } = notice;
  const room = complete(notice.room);
  const known = state.tables[room.id];
  const moved = you === null && known?.moved === true;
  const seen: Seen = { room, version, you, behind: false, replaced: false, moved, last: known?.last ?? null };
  const mine = you === null || state.mine.includes(room.id) ? state.mine : [...state.mine, room.id];
  const { [room.id]: _, [room.code]: __, ...closed } = state.closed;
  return { ...state, mine, tables: { ...state.tables, [room.id]: seen }, closed };
}

function happened(state: State, notice: Happened): Reduced {
  const seen = state.tables[notice.room];
  if (seen === undefined || notice.version <= seen.version) return only(state);
  if (notice.version > seen.version + 1) return behind(state, seen);
  const room = advance(seen.room, notice);
  const you = seen.you !== null && room.chairs[seen.you] ? seen.you : null;
  const next = { ...seen, room, you, version: notice.version, behind: false, last: notice };
  return only(withTable(state, next));
}

/** `done` also answers a resume that missed nothing. */
function caughtUp(state: State, id: RoomId, version: number): Reduced {
  const seen = state.tables[id];
  if (seen === undefined) return only(state);
  if (version > seen.version) return behind(state, seen);
  return only(seen.behind ? withTable(state, { ...seen, behind: false }) : state);
}

function behind(state: State, seen: Seen): Reduced {
  if (seen.behind) return only(state);
  return {
    state: withTable(state, { ...seen, behind: true }),
    ask: [{ type: "resume", room: seen.room.id, version: seen.version }],
  };
}

function left(state: State, room: RoomId, replaced: boolean): State {
  const seen = state.tables[room];
  if (replaced) return seen ? withTable(state, { ...seen, replaced: true }) : state;
  return { ...forget(state, room), mine: state.mine.filter((id) => id !== room) };
}

/** Another device has our seat; what we see of the table stays. */
function moved(state: State, room: RoomId): State {
  const seen = state.tables[room];
  const mine = state.mine.filter((id) => id !== room);
  return seen ? { ...withTable(state, { ...seen, you: null, moved: true }), mine } : { ...state, mine };
}

function whispered(state: State, { room: id, line }: Whispered): State {
  const seen = state.tables[id];
  if (seen === undefined) return state;
  const chat = [...seen.room.chat, line].slice(-CHAT_TAIL);
  return withTable(state, { ...seen, room: { ...seen.room, chat } });
}

/** Only refusals about a table as such are kept; those of a command are told and forgotten. */
function refused(state: State, code: Refusal, room: string | undefined, nonce: string | undefined): State {
  if (!room) return state;
  const gone = code === "no_such_room" || code === "room_closed";
  if (!gone && (nonce || state.tables[room])) return state;
  const { [room]: _, ...tables } = state.tables;
  const mine = gone ? state.mine.filter((id) => id !== room) : state.mine;
  return { ...state, mine, tables, closed: { ...state.closed, [room]: code } };
}

function withTable(state: State, seen: Seen): State {
  return { ...state, tables: { ...state.tables, [seen.room.id]: seen } };
}
