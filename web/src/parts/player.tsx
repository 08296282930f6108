/** A player's strip: symbol, name, score, clock, and whether he is there. */

import { words } from "../i18n";
import { text } from "../i18n/room";
import type { GameParts } from "../games/game";
import { isUp, time } from "../session";
import type { Seen } from "../store";
import { clockFace, remaining, secondsUntil } from "../time";
import { toast } from "../toasts";
import { nameAt } from "../turn";
import type { ChairView, ClockView, GameName, Seat } from "../wire";
import { useTicking } from "./ticking";

interface PlayerProps {
  seen: Seen;
  seat: Seat;
  parts: GameParts<GameName> | undefined;
  /** It stands under the board. */
  below?: boolean;
}

export function Player({ seen, seat, parts, below = false }: PlayerProps) {
  const { room, you } = seen;
  const chair = room.chairs[seat] ?? null;
  const { table } = words.value;
  const position = room.position;
  const active = room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === seat;
  const winner = room.phase === "over" && room.result?.winners.includes(seat);
  const classes = ["player", below && "player-below", active && "player-active", winner && "player-won"];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-seat={seat}>
      <span class="badge">{chair && position && parts && <parts.Badge position={position} seat={seat} />}</span>
      {chair && (
        <span class={chair.away ? "here here-not" : "here"} title={chair.away ? table.away : table.here}>
          <span class="hidden">{chair.away ? table.away : table.here}</span>
        </span>
      )}
      <span class="player-name">
        {chair ? <bdi class="player-text">{nameAt(room, seat)}</bdi> : <em class="soft">{table.emptySeat}</em>}
        {chair?.bot ? <small class="tag">{table.computer}</small> : seat === you && <small class="tag">{table.me}</small>}
        {chair?.seer && parts?.hides?.(room.options) && (
          <button class="tag tag-seer" title={table.seerTitle} onClick={() => toast(table.seerTitle)}>
            <svg viewBox="0 0 16 16" aria-hidden="true">
              <path d="M1 8c3-5 11-5 14 0-3 5-11 5-14 0z" />
              <circle cx="8" cy="8" r="2" />
            </svg>
            {table.seer}
          </button>
        )}
        {chair?.away && <Away chair={chair} />}
      </span>
      {position && parts && <parts.Score position={position} seat={seat} />}
      {room.clock && <Clock clock={room.clock} seat={seat} name={nameAt(room, seat)} limit={room.table.clock?.move || null} />}
    </div>
  );
}

/** What comes of it stands under the board. */
function Away({ chair }: { chair: ChairView }) {
  const until = chair.until ?? null;
  useTicking(until !== null, 500);
  const rest = until === null ? words.value.table.away : text.value.gone.short(secondsUntil(until, time.now()));
  return <small class="away">{rest}</small>;
}

interface ClockProps {
  clock: ClockView;
  seat: Seat;
  name: string;
  /** Milliseconds that every single move has. */
  limit: number | null;
}

function Clock({ clock, seat, name, limit }: ClockProps) {
  const { table } = words.value;
  const { left, grant, running } = remaining(clock, seat, time.now(), limit);
  const low = left !== null && left < 10_000;
  useTicking(running && grant === null, low ? 100 : 250);
  if (left === null) return <span class="clock soft">∞</span>;
  const face = clockFace(left);
  const ticking = running && grant === null;
  // Without a line we do not know whether the other side has moved: say so.
  const guess = ticking && !isUp.value ? "≈" : "";
  return (
    <span class={`clock ${ticking ? "clock-on" : ""} ${low ? "clock-low" : ""}`} role="timer" aria-label={table.clock(name, face)}>
      {guess}
      {face}
    </span>
  );
}
