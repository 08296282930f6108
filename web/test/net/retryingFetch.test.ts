/** Requests to a busy server. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryingFetch } from "../../src/net/retryingFetch";

/** Answers one after the other, each a status and what `Retry-After` says. */
function server(...answers: readonly [number, (string | undefined)?][]) {
  const left = [...answers];
  const asked: number[] = [];
  const ask = (() => {
    asked.push(Date.now());
    const [status, after] = left.length > 1 ? left.shift()! : left[0]!;
    return Promise.resolve(new Response("{}", { status, headers: after === undefined ? {} : { "retry-after": after } }));
  }) as typeof fetch;
  return { ask, asked };
}

describe("a request that the server is too busy for", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it.each([429, 503])("is repeated after the seconds that the server names (%i)", async (status) => {
    const { ask, asked } = server([status, "2"], [status, "7"], [200]);
    const waits: number[] = [];
    const answer = retryingFetch((seconds) => waits.push(seconds), new AbortController().signal, ask)("/x");
    await vi.runAllTimersAsync();
    expect((await answer).status).toBe(200);
    expect(waits).toEqual([2, 7]);
    expect(asked).toEqual([0, 2_000, 9_000]);
  });

  it.each([
    [undefined, 5],
    ["soon", 5],
    ["-1", 5],
    ["0.2", 1],
    ["86400", 60],
  ])("waits a sensible time whatever the answer says (%s)", async (after, expected) => {
    const waits: number[] = [];
    const answer = retryingFetch((seconds) => waits.push(seconds), new AbortController().signal, server([503, after], [200]).ask)("/x");
    await vi.runAllTimersAsync();
    await answer;
    expect(waits).toEqual([expected]);
  });

  it("is given up after ten tries, and other failures are not repeated", async () => {
    for (const [status, tries] of [[429, 10], [404, 1], [500, 1]] as const) {
      const { ask, asked } = server([status, "1"]);
      const answer = retryingFetch(() => undefined, new AbortController().signal, ask)("/x");
      await vi.runAllTimersAsync();
      expect((await answer).status).toBe(status);
      expect(asked).toHaveLength(tries);
    }
  });

  it("is not repeated for a page that is gone", async () => {
    const { ask, asked } = server([429, "1"]);
    const leaving = new AbortController();
    const answer = retryingFetch(() => undefined, leaving.signal, ask)("/x");
    const ended = expect(answer).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(1_500);
    leaving.abort();
    await ended;
    await vi.runAllTimersAsync();
    expect(asked).toHaveLength(2);
  });
});
