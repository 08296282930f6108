/** Warns players about their own clock, by sound and for screen readers; also the look of all clocks with low time. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useInterval } from "../../common/useInterval";
import { texts } from "../../i18n/language";
import { remaining } from "../../net/serverTime";
import { time } from "../../net/session";
import type { TableState } from "../../net/store";
import { playTone } from "../tones";
import { nextLowTime, startTime, type LowTime } from "./lowTime";
import "./low-time.css";

export function LowTimeWarning({ seen: { room, you, replaced } }: { seen: TableState }) {
  const before = useRef<LowTime | null>(null);
  const warning = useSignal<LowTime>(0);
  const plan = room.table.clock;
  const { left, grant, running } =
    room.clock && plan && you !== null && !replaced ? remaining(room.clock, you, time.now(), plan.move || null) : { left: null, grant: null, running: false };
  const ticking = running && grant === null;
  useInterval(ticking, left !== null && left < 25_000 ? 100 : 1_000);
  useEffect(() => {
    if (left === null || !plan || you === null) return;
    const now = nextLowTime(before.current, left, startTime(plan, you));
    const isNew = before.current !== null && now > before.current && ticking;
    before.current = now;
    if (isNew) playTone("lowTime");
    // Said once: it stays until the clock stops.
    if (isNew || !ticking) warning.value = isNew ? now : 0;
  });
  return (
    <p class="hidden" aria-live="polite" data-low-time={warning.value}>
      {warning.value > 0 && texts.value.table.secondsLeft(warning.value === 1 ? 20 : 10)}
    </p>
  );
}
