/** Commands not answered yet; they survive a reconnect and a reload. */

import { signal } from "@preact/signals";
import type { Report, Resign, Nonce, Play, MakeOffer, SetPhrasesOnly, AnswerOffer, RoomId, Say, WithdrawOffer } from "./protocol";

export type Command = Play | MakeOffer | AnswerOffer | WithdrawOffer | Resign | Say | SetPhrasesOnly | Omit<Report, "nonce">;
export type PendingCommand = Command & { nonce: Nonce };

/** Where pending commands survive a reload. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = "qipai.pending";
const MAX_PENDING = 8; // the server recognises this many of a seat's last nonces
const STALE_AFTER = 5 * 60_000;

interface Stored {
  at: number;
  list: readonly PendingCommand[];
}

/** Return a new nonce. */
export function newNonce(): Nonce {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}

export class PendingCommands {
  readonly list = signal<readonly PendingCommand[]>([]);

  constructor(
    private readonly shelf: Shelf,
    private readonly now: () => number = Date.now,
  ) {
    const stored = this.stored();
    if (stored !== null && now() - stored.at < STALE_AFTER) this.list.value = stored.list;
  }

  /** Keep a command until it is answered. */
  add(command: PendingCommand): void {
    this.become([...this.list.value, command].slice(-MAX_PENDING));
  }

  /** Forget the command with this nonce, and return it if it was pending. */
  settle(nonce: Nonce | undefined): PendingCommand | undefined {
    const found = nonce ? this.list.value.find((command) => command.nonce === nonce) : undefined;
    if (found) this.become(this.list.value.filter((command) => command !== found));
    return found;
  }

  /** Forget everything about a table. */
  drop(room: RoomId): void {
    this.become(this.list.value.filter((command) => command.room !== room));
  }

  private become(list: readonly PendingCommand[]): void {
    this.list.value = list;
    const stored: Stored = { at: this.now(), list };
    this.shelf.setItem(KEY, JSON.stringify(stored));
  }

  private stored(): Stored | null {
    try {
      return JSON.parse(this.shelf.getItem(KEY) ?? "null") as Stored | null;
    } catch {
      return null;
    }
  }
}
