/** Whether the result panel of a game is open; a panel that was closed stays closed in this tab. */

import { signal } from "@preact/signals";
import type { Room } from "../../net/roomReducer";
import type { TableState } from "../../net/store";

const KEY = "qipai.results";

/** The panel is loaded and on the page; it has the actions that are otherwise under the board. */
export const isPanelShown = signal(false);

/** What the user chose, by game; true: open. */
const chosen = signal<Readonly<Record<string, boolean>>>(load());

function load(): Record<string, boolean> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, boolean>;
  } catch {
    return {};
  }
}

function gameKey({ id, match }: Room): string {
  return `${id} ${match}`;
}

/** Open or close the panel. */
export function openResult(room: Room, open: boolean): void {
  chosen.value = { ...chosen.value, [gameKey(room)]: open };
  sessionStorage.setItem(KEY, JSON.stringify(chosen.value));
}

/** Tell whether the table has a result to show. */
export function hasResult({ room, replaced }: TableState): boolean {
  return room.phase === "over" && room.result !== null && !replaced;
}

/** Tell whether the panel is open. It must not cover the button that takes an open seat or starts the next game. */
export function isResultOpen(seen: TableState): boolean {
  const { room, you } = seen;
  if (!hasResult(seen)) return false;
  const nextIsOffered = room.table.legacy?.host_starts === true || (you === null && room.seats.includes(null));
  return chosen.value[gameKey(room)] ?? !nextIsOffered;
}
