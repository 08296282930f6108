/** The WebSocket connection: hello, pings, time-outs, reconnect with backoff. */

import type { Hello, Intent, Notice, Welcome } from "./protocol";
import { PROTOCOL } from "./protocol";

/** A dead network is noticed within the sum of these two. */
export const PING_EVERY = 4_000;
export const PONG_WITHIN = 4_000;
export const PROBE_WITHIN = 2_500;
export const WELCOME_WITHIN = 8_000;
/** Delay after a stable connection is lost: another worker may already answer. */
export const QUICK_DELAY = 200;
export const STABLE_AFTER = 1_000;
export const FIRST_DELAY = 400;
export const GROWTH = 1.5;
export const MAX_DELAY = 12_000;
const OVERLOAD = 4429;
/** The person or the address is banned: another attempt would be refused too. */
const BANNED = 4403;

/** The part of a WebSocket that is used here. */
export interface RawSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(): void;
}

const OPEN = 1;

export type ConnectionState =
  | { is: "connecting" }
  | { is: "up" }
  | { is: "down"; retryAt: number }
  | { is: "stopped" };

export interface SocketOptions {
  connect: () => RawSocket;
  /** Token and name; read again at each attempt. */
  identity: () => { token: string; name: string };
  onState: (state: ConnectionState) => void;
  /** Called after each hello; `fresh` means a new connection, where all subscriptions must be sent again. */
  onWelcome: (welcome: Welcome, fresh: boolean) => void;
  onNotice: (notice: Notice) => void;
  /** A pong to a ping that was sent at the local moment `sent`. */
  onTrip?: (at: number, sent: number) => void;
  moment?: () => number;
  random?: () => number;
}

type Timer = ReturnType<typeof setTimeout>;

export class Socket {
  state: ConnectionState = { is: "stopped" };
  private socket: RawSocket | null = null;
  private attempts = 0;
  private pings = 0;
  private sent = new Map<number, number>();
  private helloAt = 0;
  private upAt: number | null = null;
  private retry: Timer | undefined;
  private limit: Timer | undefined;
  private pingTimer: Timer | undefined;
  private readonly moment: () => number;
  private readonly random: () => number;

  constructor(private readonly options: SocketOptions) {
    this.moment = options.moment ?? (() => performance.timeOrigin + performance.now());
    this.random = options.random ?? Math.random;
  }

  start(): void {
    if (this.state.is !== "stopped") return;
    this.open();
  }

  stop(): void {
    this.closeSocket();
    this.setState({ is: "stopped" });
  }

  /** Send if connected; tells whether it was sent. */
  send(intent: Intent): boolean {
    if (this.state.is !== "up" || this.socket === null) return false;
    if (this.socket.readyState !== OPEN) {
      // A closing socket drops frames silently.
      this.onLost(0);
      return false;
    }
    this.socket.send(JSON.stringify(intent));
    return true;
  }

  /** Send hello again on the same connection, for example with a new name. */
  sendHelloAgain(): void {
    if (this.state.is === "up") this.sendHello();
  }

  /** Reconnect now instead of waiting for the next attempt. */
  retryNow(): void {
    if (this.state.is === "down") this.open();
  }

  /** Close the connection and open another one: the server reads the cookies when it starts. */
  reconnect(): void {
    if (this.state.is !== "stopped") this.open();
  }

  /** Check quickly whether the connection is still alive. */
  probe(): void {
    if (this.state.is === "up") this.ping(PROBE_WITHIN);
    else this.retryNow();
  }

  private open(): void {
    this.closeSocket();
    this.setState({ is: "connecting" });
    const wire = this.options.connect();
    this.socket = wire;
    wire.onopen = () => this.sendHello();
    wire.onmessage = (event) => this.receive(event.data);
    wire.onclose = (event) => this.onLost(event.code);
    this.limit = setTimeout(() => this.onLost(0), WELCOME_WITHIN);
  }

  private sendHello(): void {
    const { token, name } = this.options.identity();
    const hello: Hello = { type: "hello", v: PROTOCOL, token, name };
    this.helloAt = this.moment();
    this.socket?.send(JSON.stringify(hello));
  }

  private receive(text: unknown): void {
    if (typeof text !== "string") return;
    const notice = JSON.parse(text) as Notice;
    this.onAlive();
    if (notice.type === "pong") {
      const sent = this.sent.get(notice.n);
      this.sent.delete(notice.n);
      if (sent !== undefined) this.options.onTrip?.(notice.at, sent);
    } else if (notice.type === "welcome") {
      this.attempts = 0;
      this.options.onTrip?.(notice.at, this.helloAt);
      const fresh = this.state.is !== "up";
      if (fresh) {
        this.clearLimit();
        this.upAt = this.moment();
        this.setState({ is: "up" });
        this.pingTimer = setInterval(() => this.ping(PONG_WITHIN), PING_EVERY);
      }
      this.options.onWelcome(notice, fresh);
    } else {
      this.options.onNotice(notice);
    }
  }

  private onAlive(): void {
    if (this.state.is === "up") this.clearLimit();
  }

  private ping(within: number): void {
    this.pings += 1;
    this.sent = new Map([[this.pings, this.moment()]]);
    this.send({ type: "ping", n: this.pings });
    if (this.limit === undefined) this.limit = setTimeout(() => this.onLost(0), within);
  }

  private onLost(code: number): void {
    if (code === BANNED) {
      this.stop();
      return;
    }
    this.closeSocket();
    const wait = this.retryDelay(code);
    this.setState({ is: "down", retryAt: this.moment() + wait });
    this.retry = setTimeout(() => this.open(), wait);
  }

  /** Delay before the next attempt, with jitter so that clients do not reconnect at the same time. */
  private retryDelay(code: number): number {
    const stood = this.upAt === null ? 0 : this.moment() - this.upAt;
    this.upAt = null;
    if (code === OVERLOAD) return Math.max(MAX_DELAY / 2, this.nextDelay());
    return stood >= STABLE_AFTER ? QUICK_DELAY * this.random() : this.nextDelay();
  }

  private nextDelay(): number {
    const wait = Math.min(MAX_DELAY, FIRST_DELAY * GROWTH ** this.attempts);
    this.attempts += 1;
    return wait * (0.5 + this.random() / 2);
  }

  private closeSocket(): void {
    clearTimeout(this.retry);
    clearInterval(this.pingTimer);
    this.clearLimit();
    this.sent.clear();
    const wire = this.socket;
    this.socket = null;
    if (wire === null) return;
    wire.onopen = wire.onmessage = wire.onclose = null;
    wire.close();
  }

  private clearLimit(): void {
    if (this.limit !== undefined) clearTimeout(this.limit);
    this.limit = undefined;
  }

  private setState(state: ConnectionState): void {
    this.state = state;
    this.options.onState(state);
  }
}
