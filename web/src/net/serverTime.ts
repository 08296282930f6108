/** The server's time, and the remaining time of clocks. */

import type { ClockView, Millis, Seat } from "./protocol";

const MAX_SAMPLES = 8;

interface Sample {
  offset: number;
  roundTrip: number;
}

/** Estimates the server's time from round trips; the shortest one is trusted most. */
export class ServerTime {
  private samples: Sample[] = [];

  constructor(private readonly local: () => number = () => performance.timeOrigin + performance.now()) {}

  /** Learn from an answer with server time `at` to a frame sent at local time `sent`. */
  learn(at: Millis, sent: number): void {
    const received = this.local();
    const roundTrip = Math.max(0, received - sent);
    this.samples = [...this.samples.slice(1 - MAX_SAMPLES), { offset: at + roundTrip / 2 - received, roundTrip }];
  }

  /** Forget all samples, for a new connection. */
  forget(): void {
    this.samples = [];
  }

  /** The shortest round trip known, in milliseconds. */
  get trip(): number | null {
    return this.best?.roundTrip ?? null;
  }

  /** The local moment, for `learn`. */
  moment(): number {
    return this.local();
  }

  /** The estimated server time. */
  now(): Millis {
    return this.local() + (this.best?.offset ?? 0);
  }

  private get best(): Sample | undefined {
    return this.samples.reduce<Sample | undefined>(
      (best, sample) => (best === undefined || sample.roundTrip <= best.roundTrip ? sample : best),
      undefined,
    );
  }
}

export interface Remaining {
  /** Milliseconds left, null when unlimited. */
  left: number | null;
  /** Time for this decision, if it has its own limit. */
  grant: number | null;
  running: boolean;
}

/** Return the remaining time of a seat at server time `now`; `move` is the limit per move. */
export function remaining(clock: ClockView, seat: Seat, now: Millis, move: Millis | null = null): Remaining {
  const running = clock.running.includes(seat);
  const spent = running ? Math.max(0, now - clock.at) : 0;
  const grant = clock.grants[seat] ?? null;
  const main = clock.left[seat] ?? null;
  // If both the game and the move have a limit, the nearer one applies.
  const single = move === null ? null : move - Math.max(0, clock.at - (clock.since[seat] ?? clock.at));
  const left = main === null || (single !== null && single < main) ? single : main;
  return {
    running,
    grant: grant === null ? null : Math.max(0, grant - spent),
    left: left === null ? null : Math.max(0, grant === null ? left - spent : left),
  };
}

/** Return a duration as a chess clock shows it: tenths below ten seconds. */
export function clockFace(left: number): string {
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (part: number) => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Return whole seconds until a moment, never below zero. */
export function secondsUntil(moment: Millis, now: Millis): number {
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
