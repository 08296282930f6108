/** Where each table stands in the list: nothing moves while somebody is about to press it. */

import type { LobbyRow, RoomId } from "./wire";

/** A place in the list; a table that is gone keeps it as long as the list is held. */
export interface Slot {
  row: LobbyRow;
  gone: boolean;
}

/** Return the list in its best order: who waits comes first, and who waits longest before the others. */
export function settle(rows: Iterable<LobbyRow>): readonly Slot[] {
  const since = (row: LobbyRow) => row.since ?? 0;
  return [...rows]
    .sort((one, other) => rank(one) - rank(other) || since(one) - since(other))
    .map((row) => ({ row, gone: false }));
}

/** Return the list with everything where it was; what is new stands at its end. */
export function hold(slots: readonly Slot[], rows: ReadonlyMap<RoomId, LobbyRow>): readonly Slot[] {
  const kept = slots.map(({ row }) => {
    const now = rows.get(row.id);
    return { row: now ?? row, gone: now === undefined };
  });
  const known = new Set(slots.map(({ row }) => row.id));
  return [...kept, ...settle([...rows.values()].filter((row) => !known.has(row.id)))];
}

function rank(row: LobbyRow): number {
  return row.phase === "waiting" ? 0 : 1;
}

/** How much goes on with a game. */
export interface Bustle {
  /** Tables where a quick match would lead to. */
  waiting: number;
  /** Tables that wait with rules or a clock of their own. */
  special: number;
  playing: number;
}

/** Return how many tables of a game, our own aside, wait for anybody by the usual rules, and at how many people play. */
export function bustle(rows: Iterable<LobbyRow>, game: string, mine: readonly RoomId[] = []): Bustle {
  const own = [...rows].filter((row) => row.game === game && !mine.includes(row.id));
  const free = own.filter((row) => row.phase === "waiting" && row.names.includes(null));
  const waiting = free.filter((row) => !row.clock && !row.options).length;
  return {
    waiting,
    special: free.length - waiting,
    playing: own.filter((row) => row.phase === "playing").length,
  };
}
