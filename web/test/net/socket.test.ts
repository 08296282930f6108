/** The WebSocket connection. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  FIRST_DELAY, GROWTH, Socket, MAX_DELAY, PING_EVERY, PONG_WITHIN, PROBE_WITHIN, QUICK_DELAY, STABLE_AFTER, WELCOME_WITHIN,
  type ConnectionState, type RawSocket,
} from "../../src/net/socket";
import type { Intent, Notice, Welcome } from "../../src/net/protocol";

class FakeWire implements RawSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readyState = 1;
  sent: Intent[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Intent);
  }

  close(): void {
    this.closed = true;
  }

  say(notice: Notice): void {
    this.onmessage?.({ data: JSON.stringify(notice) });
  }
}

const WELCOME: Welcome = { type: "welcome", v: 2, token: "t", name: "Ada", at: 0, games: [], rooms: [], account: false, bot: false };

describe("the socket", () => {
  let wires: FakeWire[];
  let states: ConnectionState["is"][];
  let welcomes: boolean[];
  let notices: Notice[];
  let line: Socket;

  const wire = () => wires.at(-1)!;
  const up = () => {
    wire().onopen?.();
    wire().say(WELCOME);
  };

  beforeEach(() => {
    vi.useFakeTimers();
    [wires, states, welcomes, notices] = [[], [], [], []];
    line = new Socket({
      connect: () => {
        const made = new FakeWire();
        wires.push(made);
        return made;
      },
      identity: () => ({ token: "t", name: "" }),
      onState: (state) => states.push(state.is),
      onWelcome: (_, fresh) => welcomes.push(fresh),
      onNotice: (notice) => notices.push(notice),
      random: () => 1,
      moment: () => Date.now(),
    });
    line.start();
  });

  afterEach(() => {
    line.stop();
    vi.useRealTimers();
  });

  it("says hello first and is up after the welcome", () => {
    expect(line.send({ type: "lobby" })).toBe(false);
    up();
    expect(wire().sent).toEqual([{ type: "hello", v: 2, token: "t", name: "" }]);
    expect(states).toEqual(["connecting", "up"]);
    expect(line.send({ type: "lobby" })).toBe(true);
  });

  it("tells a second welcome on the same connection from a fresh one", () => {
    up();
    line.sendHelloAgain();
    wire().say(WELCOME);
    expect(welcomes).toEqual([true, false]);
  });

  it("passes notices on and keeps pongs to itself", () => {
    up();
    wire().say({ type: "left", room: "r", replaced: true });
    wire().say({ type: "pong", n: 1, at: 5 });
    expect(notices.map((notice) => notice.type)).toEqual(["left"]);
  });

  it("detects a dead connection when a ping stays unanswered", () => {
    up();
    vi.advanceTimersByTime(PING_EVERY);
    expect(wire().sent.at(-1)).toEqual({ type: "ping", n: 1 });
    vi.advanceTimersByTime(PONG_WITHIN);
    expect(wires[0]?.closed).toBe(true);
    expect(line.state.is).toBe("down");
  });

  it("notices a dead network within ten seconds, with the delay of the banner", () => {
    expect(PING_EVERY + PONG_WITHIN + 600).toBeLessThan(10_000);
  });

  it("counts any frame as a sign of life", () => {
    up();
    vi.advanceTimersByTime(PING_EVERY);
    wire().say({ type: "lobby", online: 3 });
    vi.advanceTimersByTime(PONG_WITHIN);
    expect(line.state.is).toBe("up");
  });

  it("probes quickly when asked", () => {
    up();
    line.probe();
    vi.advanceTimersByTime(PROBE_WITHIN);
    expect(line.state.is).toBe("down");
  });

  it("does not trust a connection that is closing", () => {
    up();
    wire().readyState = 2;
    expect(line.send({ type: "lobby" })).toBe(false);
    expect(line.state.is).toBe("down");
    expect(wire().sent.map((intent) => intent.type)).toEqual(["hello"]);
  });

  it("gives up on a server that sends no welcome", () => {
    wire().onopen?.();
    vi.advanceTimersByTime(WELCOME_WITHIN);
    expect(line.state.is).toBe("down");
  });

  it("backs off after each failure up to a limit, and starts again after a success", () => {
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      wire().onclose?.({ code: 1006 });
      const { state } = line;
      if (state.is === "down") waits.push(state.retryAt - Date.now());
      vi.advanceTimersToNextTimer();
    }
    expect(waits.slice(0, 3)).toEqual([FIRST_DELAY, FIRST_DELAY * GROWTH, FIRST_DELAY * GROWTH ** 2]);
    expect(Math.max(...waits)).toBe(MAX_DELAY);
    up();
    wire().onclose?.({ code: 1006 });
    expect(line.state).toEqual({ is: "down", retryAt: Date.now() + FIRST_DELAY });
  });

  it.each([1006, 4503])("tries almost at once when a line that stood well is lost (%i)", (code) => {
    up();
    vi.advanceTimersByTime(STABLE_AFTER);
    wire().onclose?.({ code });
    expect(line.state).toEqual({ is: "down", retryAt: Date.now() + QUICK_DELAY });
    vi.advanceTimersToNextTimer();
    expect(wires).toHaveLength(2);
    wire().onclose?.({ code: 1006 });
    expect(line.state).toEqual({ is: "down", retryAt: Date.now() + FIRST_DELAY });
  });

  it("does not reconnect quickly to an overloaded server", () => {
    up();
    vi.advanceTimersByTime(STABLE_AFTER);
    wire().onclose?.({ code: 4429 });
    vi.advanceTimersByTime(FIRST_DELAY);
    expect(wires).toHaveLength(1);
  });

  it("does not reconnect for somebody who is banned, until asked to", () => {
    up();
    wire().onclose?.({ code: 4403 });
    vi.advanceTimersByTime(10 * MAX_DELAY);
    expect(wires).toHaveLength(1);
    expect(line.state.is).toBe("stopped");
    line.start();
    expect(wires).toHaveLength(2);
  });

  it("reconnects at once on request", () => {
    up();
    wire().onclose?.({ code: 1006 });
    line.retryNow();
    expect(wires).toHaveLength(2);
    up();
    expect(welcomes).toEqual([true, true]);
  });

  it("ignores frames of an old connection", () => {
    up();
    const old = wire();
    old.onclose?.({ code: 1006 });
    expect(old.onmessage).toBeNull();
    line.stop();
    expect(states.at(-1)).toBe("stopped");
  });
});
