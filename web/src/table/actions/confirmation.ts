/** Which action waits for confirmation: resign or leave. */

import { signal } from "@preact/signals";
import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import type { RoomId } from "../../net/protocol";

export type ConfirmedAction = "resign" | "leave";

export const confirming = signal<{ room: RoomId; what: ConfirmedAction } | null>(null);

export function confirmationText(room: Room, what: ConfirmedAction): string {
  const { table } = texts.value;
  if (what === "resign") return table.resignAsk;
  return room.table.substitute_bot ? table.leaveToBot : table.leaveAsk;
}
