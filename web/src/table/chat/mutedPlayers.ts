/** Players muted in this browser. */

import { signal } from "@preact/signals";
import type { ChatLineView, RoomId } from "../../net/protocol";
import { blockedNames } from "../../net/relationState";

const KEY = "qipai.muted";
/** Number of tables to remember; the oldest is dropped first. */
const MAX_TABLES = 30;

export type MutedPlayers = Readonly<Record<RoomId, readonly string[]>>;

/** Storage of the muted players. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** Return the key of an author: seat and name, or a spectator's name. */
export function authorKey({ seat = null, name }: Pick<ChatLineView, "seat" | "name">): string {
  return `${seat ?? "-"} ${name}`;
}

/** Return the name of an author. */
export function nameOf(who: string): string {
  return who.slice(who.indexOf(" ") + 1);
}

/** Return the muted players with one added or removed. */
export function withToggled(muted: MutedPlayers, room: RoomId, who: string): MutedPlayers {
  const { [room]: before = [], ...others } = muted;
  const after = before.includes(who) ? before.filter((one) => one !== who) : [...before, who];
  const stored = Object.entries(others).slice(1 - MAX_TABLES);
  return Object.fromEntries(after.length > 0 ? [...stored, [room, after]] : stored);
}

export function loadMuted(shelf: Shelf): MutedPlayers {
  try {
    const found: unknown = JSON.parse(shelf.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as MutedPlayers) : {};
  } catch {
    return {};
  }
}

export const mutedPlayers = signal<MutedPlayers>(typeof localStorage === "undefined" ? {} : loadMuted(localStorage));

/** Tell whether a line is not shown: its author is muted at this table, or blocked. */
export function isHidden(line: ChatLineView, room: RoomId, muted = mutedPlayers.value, blocked = blockedNames.value): boolean {
  return muted[room]?.includes(authorKey(line)) === true || blocked.includes(line.name);
}

/** Mute or unmute an author. */
export function toggleMute(room: RoomId, who: string): void {
  mutedPlayers.value = withToggled(mutedPlayers.value, room, who);
  localStorage.setItem(KEY, JSON.stringify(mutedPlayers.value));
}
