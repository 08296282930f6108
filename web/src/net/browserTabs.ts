/** Agrees with other tabs of the browser which one holds a seat. */

import type { RoomId } from "./protocol";

/** Time the other tabs have to answer, in milliseconds. */
export const ANSWER_WITHIN = 250;

/** The part of a BroadcastChannel that is used here. */
export interface TabChannel {
  onmessage: ((event: MessageEvent<TabMessage>) => void) | null;
  postMessage(word: TabMessage): void;
}

export type TabMessage = { ask: RoomId } | { here: RoomId };

export class BrowserTabs {
  private readonly waiting = new Map<RoomId, () => void>();

  constructor(
    private readonly channel: TabChannel,
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
