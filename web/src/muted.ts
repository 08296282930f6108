/** Whom the reader does not want to hear at a table; only this browser knows. */

import { signal } from "@preact/signals";
import type { Line, RoomId } from "./wire";

const KEY = "qipai.muted";
/** More tables than anybody sits at; the oldest is forgotten first. */
const TABLES = 30;

export type Muted = Readonly<Record<RoomId, readonly string[]>>;

/** Where it is remembered. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Return who speaks: a seat and its name, or a watcher's name. */
export function speaker({ seat = null, name }: Pick<Line, "seat" | "name">): string {
  return `${seat ?? "-"} ${name}`;
}

/** Return the name of a speaker. */
export function nameOf(who: string): string {
  return who.slice(who.indexOf(" ") + 1);
}

/** Return the muted ones with one more or one less. */
export function toggled(muted: Muted, room: RoomId, who: string): Muted {
  const { [room]: before = [], ...others } = muted;
  const after = before.includes(who) ? before.filter((one) => one !== who) : [...before, who];
  const kept = Object.entries(others).slice(1 - TABLES);
  return Object.fromEntries(after.length > 0 ? [...kept, [room, after]] : kept);
}

export function recall(shelf: Shelf): Muted {
  try {
    const found: unknown = JSON.parse(shelf.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Muted) : {};
  } catch {
    return {};
  }
}

export const muted = signal<Muted>(typeof localStorage === "undefined" ? {} : recall(localStorage));

/** Hear somebody no longer, or again. */
export function mute(room: RoomId, who: string): void {
  muted.value = toggled(muted.value, room, who);
  localStorage.setItem(KEY, JSON.stringify(muted.value));
}
