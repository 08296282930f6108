/** The lesson that is open over a table. */

import { signal } from "@preact/signals";
import type { AnyOptions, RoomId } from "../net/protocol";

export interface OpenLesson {
  room: RoomId;
  game: string;
  options: AnyOptions;
}

export const openLesson = signal<OpenLesson | null>(null);
