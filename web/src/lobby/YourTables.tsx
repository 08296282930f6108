/** Tables where you have a seat, and how long they have waited. */

import { useEffect, useRef } from "preact/hooks";
import { gameName, texts } from "../i18n/language";
import { href } from "../app/route";
import { leave } from "../net/commands";
import { isConnected, state, time } from "../net/session";
import { playTone } from "../table/tones";
import type { TableState } from "../net/store";
import { isYourTurn } from "../table/turn";
import { waitingSince, durationText } from "./waitingTime";
import { statusText as outcomeOf } from "../table/StatusLine";
import { useInterval } from "../common/useInterval";

export function YourTables() {
  const { lobby, table } = texts.value;
  const { myRooms, tables } = state.value;
  const live = myRooms.filter((id) => tables[id]?.room.phase !== "closed");
  const waiting = live.some((id) => tables[id]?.room.phase === "waiting");
  useInterval(waiting, 1_000);
  useJoinSound(live.filter((id) => tables[id]?.room.phase === "playing").length);
  return (
    <div class="your-tables-all">
      {live.map((id) => {
        const seen = tables[id];
        return (
          <div class="your-tables" key={id}>
            <p>{tableText(seen)}</p>
            {(seen?.room.phase === "waiting" || seen?.room.phase === "over") && (
              <button class="quiet" disabled={!isConnected.value} onClick={() => leave(id)}>
                {seen.room.phase === "over" ? table.leave : texts.value.yourTables.stop}
              </button>
            )}
            <a class="button primary" href={href({ at: "table", room: id })}>
              {lobby.backToTable}
            </a>
          </div>
        );
      })}
    </div>
  );
}

/** Play a sound when a game starts while the user is in the lobby. */
function useJoinSound(playing: number): void {
  const before = useRef(playing);
  useEffect(() => {
    if (playing > before.current) playTone("check");
    before.current = playing;
  }, [playing]);
}

function tableText(seen: TableState | undefined) {
  const { lobby, table } = texts.value;
  if (seen === undefined || seen.replaced) return lobby.youHaveSeat;
  const { room, you } = seen;
  const now = time.now();
  if (room.phase === "waiting") {
    return texts.value.yourTables.waiting(gameName(room.game), durationText(now - waitingSince(room, now)));
  }
  if (room.phase === "over") return texts.value.punctuation.labelled(`${gameName(room.game)} ${room.code}`, outcomeOf(room, you));
  const status = isYourTurn(seen) ? table.yourTurn : texts.value.yourTables.seat;
  const text = texts.value.punctuation.labelled(status, `${gameName(room.game)} ${room.code}`);
  return isYourTurn(seen) ? <strong>{text}</strong> : text;
}
