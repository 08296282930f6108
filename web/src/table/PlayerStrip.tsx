/** A player's strip: symbol, name, score, clock, connection. */

import { texts } from "../i18n/language";
import type { GameParts } from "../games/gameInterface";
import { time } from "../net/session";
import type { TableState } from "../net/store";
import { secondsUntil } from "../net/serverTime";
import { SeatRatingText } from "../ratings/RatingText";
import { showToast } from "../app/toastState";
import { Clock } from "./inPlay/Clock";
import { nameAt } from "./turn";
import type { SeatView, GameName, Seat } from "../net/protocol";
import { BotMark } from "../profile/BotMark";
import { useInterval } from "../common/useInterval";

interface PlayerStripProps {
  seen: TableState;
  seat: Seat;
  parts: GameParts<GameName> | undefined;
  /** The strip is below the board. */
  below?: boolean;
}

export function PlayerStrip({ seen, seat, parts, below = false }: PlayerStripProps) {
  const { room, you } = seen;
  const taken = room.seats[seat] ?? null;
  const { table } = texts.value;
  const position = room.position;
  const active = room.phase === "playing" && room.to_act.length === 1 && room.to_act[0] === seat;
  const winner = room.phase === "over" && room.result?.winners.includes(seat);
  const classes = ["player", below && "player-below", active && "player-active", winner && "player-won"];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-seat={seat}>
      <span class="badge">{taken && position && parts && <parts.Badge position={position} seat={seat} />}</span>
      <div class="player-body">
        <span class="player-name">
          {taken ? <bdi class="player-text" title={nameAt(room, seat)}>{nameAt(room, seat)}</bdi> : <em class="soft">{table.emptySeat}</em>}
          <BotMark shown={taken?.bot_account ?? false} />
          <SeatRatingText room={room} seat={seat} />
          {taken?.sees_hidden && parts?.hidesInformation?.(room.options) && (
            <button class="tag tag-sees-hidden" title={table.seesHiddenTitle} onClick={() => showToast(table.seesHiddenTitle)}>
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="M1 8c3-5 11-5 14 0-3 5-11 5-14 0z" />
                <circle cx="8" cy="8" r="2" />
              </svg>
              {table.seesHidden}
            </button>
          )}
        </span>
        {taken && (
          <span class="player-more">
            <span class={taken.disconnected ? "presence presence-off" : "presence"} />
            {taken.disconnected ? <AbsenceTag taken={taken} /> : <small>{taken.bot ? table.computer : seat === you ? table.you : table.here}</small>}
            {position && parts && <parts.Score position={position} seat={seat} />}
            {room.clock && <Lag lag={room.clock.lags?.[seat] ?? null} />}
          </span>
        )}
      </div>
      {room.clock && <Clock clock={room.clock} plan={room.table.clock ?? {}} seat={seat} name={nameAt(room, seat)} />}
    </div>
  );
}

/** The status note explains the consequence. */
function AbsenceTag({ taken }: { taken: SeatView }) {
  const forfeitsAt = taken.forfeits_at ?? null;
  useInterval(forfeitsAt !== null, 500);
  const rest = forfeitsAt === null ? texts.value.table.away : texts.value.absence.short(secondsUntil(forfeitsAt, time.now()));
  return <small class="away">{rest}</small>;
}

/** Network lag as the server measured it at the last move. */
function Lag({ lag }: { lag: number | null }) {
  const { table } = texts.value;
  if (lag === null) return null;
  const title = table.lagTitle(lag);
  return (
    <small class={`lag ${lag > 300 ? "lag-high" : ""}`} title={title}>
      <span aria-hidden="true">{table.lag(lag)}</span>
      <span class="hidden">{title}</span>
    </small>
  );
}
