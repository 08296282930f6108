import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ANSWER_WITHIN, Tabs, type Channel, type Word } from "../src/tabs";

/** Channels that tell each other everything, and themselves nothing. */
function channels(count: number): Channel[] {
  const all: Channel[] = Array.from({ length: count }, () => ({
    onmessage: null,
    postMessage(word: Word) {
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
    const asking = new Tabs(here!, () => false);
    new Tabs(there!, (room) => room === "r");
    await expect(asking.isFree("r")).resolves.toBe(false);
  });

  it("take a table up where no other tab is, after having waited for an answer", async () => {
    const [here, there] = channels(2);
    const asking = new Tabs(here!, () => true);
    new Tabs(there!, (room) => room === "another");
    const free = asking.isFree("r");
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN);
    await expect(free).resolves.toBe(true);
  });
});
