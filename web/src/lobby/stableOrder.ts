/** Keeps rows of the table list in place while the user is about to press one. */

import type { LobbyRow, RoomId } from "../net/protocol";

/** A row of the list; a removed table keeps its row while the order is held. */
export interface Slot {
  row: LobbyRow;
  removed: boolean;
}

/** Return the sorted list: waiting tables first, the longest wait before the others. */
export function sortedSlots(rows: Iterable<LobbyRow>): readonly Slot[] {
  const since = (row: LobbyRow) => row.since ?? 0;
  return [...rows]
    .sort((one, other) => rank(one) - rank(other) || since(one) - since(other))
    .map((row) => ({ row, removed: false }));
}

/** Return the list in its current order; new tables are at the end. */
export function keepOrder(slots: readonly Slot[], rows: ReadonlyMap<RoomId, LobbyRow>): readonly Slot[] {
  const held = slots.map(({ row }) => {
    const now = rows.get(row.id);
    return { row: now ?? row, removed: now === undefined };
  });
  const known = new Set(slots.map(({ row }) => row.id));
  return [...held, ...sortedSlots([...rows.values()].filter((row) => !known.has(row.id)))];
}

function rank(row: LobbyRow): number {
  return row.phase === "waiting" ? 0 : 1;
}

/** Number of tables of a game by their state. */
export interface GameActivity {
  /** Tables that a quick match would join. */
  waiting: number;
  /** Waiting tables with custom rules or a custom clock. */
  special: number;
  playing: number;
}

/** Return the activity of a game, without the user's own tables. */
export function activityOf(rows: Iterable<LobbyRow>, game: string, mine: readonly RoomId[] = []): GameActivity {
  const own = [...rows].filter((row) => row.game === game && !mine.includes(row.id));
  const free = own.filter((row) => row.phase === "waiting" && row.names.includes(null));
  const waiting = free.filter((row) => !row.clock && !row.options).length;
  return {
    waiting,
    special: free.length - waiting,
    playing: own.filter((row) => row.phase === "playing").length,
  };
}
