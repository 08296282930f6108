/** Agreement between browser tabs. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ANSWER_WITHIN, BrowserTabs, type TabChannel, type TabMessage } from "../../src/net/browserTabs";

/** Channels that deliver every message to all others. */
function channels(count: number): TabChannel[] {
  const all: TabChannel[] = Array.from({ length: count }, () => ({
    onmessage: null,
    postMessage(word: TabMessage) {
      for (const other of all) if (other !== this) other.onmessage?.(new MessageEvent("message", { data: word }));
    },
  }));
  return all;
}

describe("tabs", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("leave a table to the tab that is there", async () => {
    const [here, there] = channels(2);
    const asking = new BrowserTabs(here!, () => false);
    new BrowserTabs(there!, (room) => room === "r");
    await expect(asking.isFree("r")).resolves.toBe(false);
  });

  it("take over a table that no other tab holds, after waiting for an answer", async () => {
    const [here, there] = channels(2);
    const asking = new BrowserTabs(here!, () => true);
    new BrowserTabs(there!, (room) => room === "another");
    const free = asking.isFree("r");
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN);
    await expect(free).resolves.toBe(true);
  });
});
