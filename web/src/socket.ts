/** One connection that comes back by itself: hello, pings, dead lines noticed, patient retries. */

import type { Hello, Intent, Notice, Welcome } from "./wire";
import { PROTOCOL } from "./wire";

export const PING_EVERY = 10_000;
export const PONG_WITHIN = 5_000;
export const PROBE_WITHIN = 2_500;
export const WELCOME_WITHIN = 8_000;
/** A line that stood well is tried again almost at once: somebody else may answer already. */
export const QUICK_WAIT = 200;
export const STOOD_WELL = 1_000;
export const FIRST_WAIT = 400;
export const GROWTH = 1.5;
export const LONGEST_WAIT = 12_000;
const OVERLOAD = 4429;

/** The part of a WebSocket that is used here. */
export interface Wire {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(): void;
}

const OPEN = 1;

export type LineState =
  | { is: "connecting" }
  | { is: "up" }
  | { is: "down"; retryAt: number }
  | { is: "stopped" };

export interface LineOptions {
  connect: () => Wire;
  /** Who to say we are: read again at each attempt. */
  identity: () => { token: string; name: string };
  onState: (state: LineState) => void;
  /** After each successful hello; `fresh` on a new connection, where everything has to be asked again. */
  onWelcome: (welcome: Welcome, fresh: boolean) => void;
  onNotice: (notice: Notice) => void;
  /** A pong to a ping that was sent at the local moment `sent`. */
  onTrip?: (at: number, sent: number) => void;
  moment?: () => number;
  random?: () => number;
}

type Timer = ReturnType<typeof setTimeout>;

export class Line {
  state: LineState = { is: "stopped" };
  private wire: Wire | null = null;
  private tries = 0;
  private pings = 0;
  private sent = new Map<number, number>();
  private helloAt = 0;
  private upAt: number | null = null;
  private retry: Timer | undefined;
  private limit: Timer | undefined;
  private beat: Timer | undefined;
  private readonly moment: () => number;
  private readonly random: () => number;

  constructor(private readonly options: LineOptions) {
    this.moment = options.moment ?? (() => performance.timeOrigin + performance.now());
    this.random = options.random ?? Math.random;
  }

  start(): void {
    if (this.state.is !== "stopped") return;
    this.open();
  }

  stop(): void {
    this.hangUp();
    this.become({ is: "stopped" });
  }

  /** Send now if the line is up; tells whether it was. */
  send(intent: Intent): boolean {
    if (this.state.is !== "up" || this.wire === null) return false;
    if (this.wire.readyState !== OPEN) {
      // Closing can take a minute to be told; a frame given to it now would be lost without a word.
      this.lost(0);
      return false;
    }
    this.wire.send(JSON.stringify(intent));
    return true;
  }

  /** Say hello again on the same connection, with a new name perhaps. */
  greetAgain(): void {
    if (this.state.is === "up") this.greet();
  }

  /** Try again at once instead of waiting for the next turn. */
  hurry(): void {
    if (this.state.is === "down") this.open();
  }

  /** Find out quickly whether the line is still alive. */
  probe(): void {
    if (this.state.is === "up") this.ping(PROBE_WITHIN);
    else this.hurry();
  }

  private open(): void {
    this.hangUp();
    this.become({ is: "connecting" });
    const wire = this.options.connect();
    this.wire = wire;
    wire.onopen = () => this.greet();
    wire.onmessage = (event) => this.hear(event.data);
    wire.onclose = (event) => this.lost(event.code);
    this.limit = setTimeout(() => this.lost(0), WELCOME_WITHIN);
  }

  private greet(): void {
    const { token, name } = this.options.identity();
    const hello: Hello = { type: "hello", v: PROTOCOL, token, name };
    this.helloAt = this.moment();
    this.wire?.send(JSON.stringify(hello));
  }

  private hear(text: unknown): void {
    if (typeof text !== "string") return;
    const notice = JSON.parse(text) as Notice;
    this.alive();
    if (notice.type === "pong") {
      const sent = this.sent.get(notice.n);
      this.sent.delete(notice.n);
      if (sent !== undefined) this.options.onTrip?.(notice.at, sent);
    } else if (notice.type === "welcome") {
      this.tries = 0;
      this.options.onTrip?.(notice.at, this.helloAt);
      const fresh = this.state.is !== "up";
      if (fresh) {
        this.unlimit();
        this.upAt = this.moment();
        this.become({ is: "up" });
        this.beat = setInterval(() => this.ping(PONG_WITHIN), PING_EVERY);
      }
      this.options.onWelcome(notice, fresh);
    } else {
      this.options.onNotice(notice);
    }
  }

  private alive(): void {
    if (this.state.is === "up") this.unlimit();
  }

  private ping(within: number): void {
    this.pings += 1;
    this.sent = new Map([[this.pings, this.moment()]]);
    this.send({ type: "ping", n: this.pings });
    if (this.limit === undefined) this.limit = setTimeout(() => this.lost(0), within);
  }

  private lost(code: number): void {
    this.hangUp();
    const wait = this.patience(code);
    this.become({ is: "down", retryAt: this.moment() + wait });
    this.retry = setTimeout(() => this.open(), wait);
  }

  /** How long to wait before the next attempt; chance keeps a whole house from knocking at one moment. */
  private patience(code: number): number {
    const stood = this.upAt === null ? 0 : this.moment() - this.upAt;
    this.upAt = null;
    if (code === OVERLOAD) return Math.max(LONGEST_WAIT / 2, this.grown());
    return stood >= STOOD_WELL ? QUICK_WAIT * this.random() : this.grown();
  }

  private grown(): number {
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * GROWTH ** this.tries);
    this.tries += 1;
    return wait * (0.5 + this.random() / 2);
  }

  private hangUp(): void {
    clearTimeout(this.retry);
    clearInterval(this.beat);
    this.unlimit();
    this.sent.clear();
    const wire = this.wire;
    this.wire = null;
    if (wire === null) return;
    wire.onopen = wire.onmessage = wire.onclose = null;
    wire.close();
  }

  private unlimit(): void {
    if (this.limit !== undefined) clearTimeout(this.limit);
    this.limit = undefined;
  }

  private become(state: LineState): void {
    this.state = state;
    this.options.onState(state);
  }
}
