/** Seconds left for a decision. */

import { texts } from "../../../i18n/language";
import { useInterval } from "../../../common/useInterval";
import { time } from "../../../net/session";
import { remaining } from "../../../net/serverTime";
import type { Seat } from "../../../net/protocol";
import type { MahjongScene } from "../tiles/tileNames";

/** A seat that has answered has no limit. */
const NO_LIMIT = 3_600_000;

/** Return the milliseconds left for a seat's decision, or null. */
export function timeLeft({ room }: MahjongScene, seat: Seat): number | null {
  if (room.clock === null || !room.clock.running.includes(seat)) return null;
  const { grant, left } = remaining(room.clock, seat, time.now(), room.table.clock?.move || null);
  const rest = grant ?? left;
  return rest === null || rest > NO_LIMIT ? null : rest;
}

export function Countdown({ scene, seat }: { scene: MahjongScene; seat: Seat }) {
  const rest = timeLeft(scene, seat);
  useInterval(rest !== null, 250);
  if (rest === null) return null;
  const seconds = Math.ceil(rest / 1000);
  return (
    <span class={`mj-count ${seconds <= 5 ? "mj-count-low" : ""}`} role="timer" aria-label={texts.value.games.mahjong.table.seconds(seconds)}>
      {seconds}
    </span>
  );
}
