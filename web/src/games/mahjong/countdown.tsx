/** Seconds that are left for a decision, where there is a clock. */

import { text } from "../../i18n/mahjong/table";
import { useTicking } from "../../parts/ticking";
import { time } from "../../session";
import { remaining } from "../../time";
import type { Seat } from "../../wire";
import type { MahjongScene } from "./names";

/** Whoever has answered has all the time in the world. */
const ENDLESS = 3_600_000;

/** Return the milliseconds that a seat has for what it decides now, or null. */
export function timeLeft({ room }: MahjongScene, seat: Seat): number | null {
  if (room.clock === null || !room.clock.running.includes(seat)) return null;
  const { grant, left } = remaining(room.clock, seat, time.now(), room.table.clock?.move || null);
  const rest = grant ?? left;
  return rest === null || rest > ENDLESS ? null : rest;
}

export function Countdown({ scene, seat }: { scene: MahjongScene; seat: Seat }) {
  const rest = timeLeft(scene, seat);
  useTicking(rest !== null, 250);
  if (rest === null) return null;
  const seconds = Math.ceil(rest / 1000);
  return (
    <span class={`mj-count ${seconds <= 5 ? "mj-count-low" : ""}`} role="timer" aria-label={text.value.seconds(seconds)}>
      {seconds}
    </span>
  );
}
