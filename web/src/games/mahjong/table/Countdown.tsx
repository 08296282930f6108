/** Time left for a decision: a ring that runs out, or seconds. */

import { useRef } from "preact/hooks";
import { texts } from "../../../i18n/language";
import { useInterval } from "../../../common/useInterval";
import { time } from "../../../net/session";
import { remaining } from "../../../net/serverTime";
import type { Seat } from "../../../net/protocol";
import type { MahjongScene } from "../tiles/tileNames";

/** A seat that has answered has no limit. */
const NO_LIMIT = 3_600_000;
/** Seconds at which the time is running out. */
const LOW = 5;
const RADIUS = 27;
const ROUND = 2 * Math.PI * RADIUS;

/** Return the milliseconds left for a seat's decision, or null. */
export function timeLeft({ room }: MahjongScene, seat: Seat): number | null {
  if (room.clock === null || !room.clock.running.includes(seat)) return null;
  const { grant, left } = remaining(room.clock, seat, time.now(), room.table.clock?.move || null);
  const rest = grant ?? left;
  return rest === null || rest > NO_LIMIT ? null : rest;
}

interface RingProps {
  scene: MahjongScene;
  seat: Seat;
  /** A new decision fills the ring. */
  decision: string;
}

export function TimeRing({ scene, seat, decision }: RingProps) {
  const rest = timeLeft(scene, seat);
  const whole = useRef({ decision, rest: 0 });
  useInterval(rest !== null, 200);
  if (rest === null) return null;
  if (whole.current.decision !== decision || rest > whole.current.rest) whole.current = { decision, rest };
  const seconds = Math.ceil(rest / 1000);
  const part = Math.max(0, rest / whole.current.rest);
  return (
    <span class={`mj-ring ${seconds <= LOW ? "mj-ring-low" : ""}`} role="timer" aria-label={texts.value.games.mahjong.table.seconds(seconds)}>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <circle class="mj-ring-track" cx="32" cy="32" r={RADIUS} />
        <circle class="mj-ring-rest" cx="32" cy="32" r={RADIUS} stroke-dasharray={`${(ROUND * part).toFixed(1)} ${ROUND.toFixed(1)}`} />
      </svg>
      <span>{seconds}</span>
    </span>
  );
}

/** Seconds on the plate of another player. */
export function Countdown({ scene, seat }: { scene: MahjongScene; seat: Seat }) {
  const rest = timeLeft(scene, seat);
  useInterval(rest !== null, 250);
  if (rest === null) return null;
  const seconds = Math.ceil(rest / 1000);
  return (
    <span class={`mj-count ${seconds <= LOW ? "mj-count-low" : ""}`} role="timer" aria-label={texts.value.games.mahjong.table.seconds(seconds)}>
      {seconds}
    </span>
  );
}
