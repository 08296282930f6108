/** Rooms with an open seat that the user wants to watch: no invitation is shown there. */

import { signal } from "@preact/signals";
import type { RoomId } from "../../net/protocol";

export const watchedRooms = signal<readonly RoomId[]>([]);

export function watchRoom(room: RoomId): void {
  watchedRooms.value = [...watchedRooms.value, room];
}
