/** Tabs of one browser share its seats: before one takes up a table, it asks whether another is there already. */

import type { RoomId } from "./wire";

/** How long the other tabs have for an answer. */
export const ANSWER_WITHIN = 250;

/** The part of a BroadcastChannel that is used here. */
export interface Channel {
  onmessage: ((event: MessageEvent<Word>) => void) | null;
  postMessage(word: Word): void;
}

export type Word = { ask: RoomId } | { here: RoomId };

export class Tabs {
  private readonly waiting = new Map<RoomId, () => void>();

  constructor(
    private readonly channel: Channel,
    /** Tell whether this tab is at a table. */
    private readonly isAt: (room: RoomId) => boolean,
  ) {
    channel.onmessage = ({ data }) => {
      if ("here" in data) this.waiting.get(data.here)?.();
      else if (this.isAt(data.ask)) channel.postMessage({ here: data.ask });
    };
  }

  /** Tell whether no other tab is at this table. */
  isFree(room: RoomId): Promise<boolean> {
    return new Promise((answer) => {
      const done = (free: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(room);
        answer(free);
      };
      const timer = setTimeout(() => done(true), ANSWER_WITHIN);
      this.waiting.set(room, () => done(false));
      this.channel.postMessage({ ask: room });
    });
  }
}
