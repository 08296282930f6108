/** What the reader is asked before it is done: to resign, to leave. */

import { signal } from "@preact/signals";
import { words } from "../i18n";
import type { Room } from "../room";
import type { RoomId } from "../wire";

export type Step = "resign" | "leave";

export const asking = signal<{ room: RoomId; what: Step } | null>(null);

export function question(room: Room, what: Step): string {
  const { table } = words.value;
  if (what === "resign") return table.resignAsk;
  return room.table.standin ? table.leaveToBot : table.leaveAsk;
}
