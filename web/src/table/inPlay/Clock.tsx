/** The clock of a player; low time is marked. */

import { useInterval } from "../../common/useInterval";
import { texts } from "../../i18n/language";
import { clockFace, remaining } from "../../net/serverTime";
import { isConnected, time } from "../../net/session";
import type { ClockPlanView, ClockView, Seat } from "../../net/protocol";
import { lowTime, startTime } from "./lowTime";

interface ClockProps {
  clock: ClockView;
  plan: ClockPlanView;
  seat: Seat;
  name: string;
}

export function Clock({ clock, plan, seat, name }: ClockProps) {
  const { table } = texts.value;
  const { left, grant, running } = remaining(clock, seat, time.now(), plan.move || null);
  const ticking = running && grant === null;
  useInterval(ticking, left !== null && left < 10_000 ? 100 : 250);
  if (left === null) return <span class="clock soft">∞</span>;
  const face = clockFace(left);
  // While disconnected, the time of a running clock is a guess.
  const guess = ticking && !isConnected.value ? "≈" : "";
  return (
    <span class={`clock ${ticking ? "clock-on" : ""} clock-low-${lowTime(left, startTime(plan, seat))}`} role="timer" aria-label={table.clock(name, face)}>
      {guess}
      {face}
    </span>
  );
}
