/** The tables where we have a seat, and how long we wait at them. */

import { useEffect, useRef } from "preact/hooks";
import { gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import { href } from "../route";
import { isUp, leave, state, time } from "../session";
import { sound } from "../sound";
import type { Seen } from "../store";
import { yourTurn } from "../turn";
import { waitsSince, waitText } from "../waits";
import { says as outcomeOf } from "./status";
import { useTicking } from "./ticking";

export function Yours() {
  const { lobby, table } = words.value;
  const { mine, tables } = state.value;
  const live = mine.filter((id) => tables[id]?.room.phase !== "closed");
  const waiting = live.some((id) => tables[id]?.room.phase === "waiting");
  useTicking(waiting, 1_000);
  useKnock(live.filter((id) => tables[id]?.room.phase === "playing").length);
  return (
    <div class="yours-all">
      {live.map((id) => {
        const seen = tables[id];
        return (
          <div class="yours" key={id}>
            <p>{says(seen)}</p>
            {(seen?.room.phase === "waiting" || seen?.room.phase === "over") && (
              <button class="quiet" disabled={!isUp.value} onClick={() => leave(id)}>
                {seen.room.phase === "over" ? table.leave : text.value.yours.stop}
              </button>
            )}
            <a class="button primary" href={href({ at: "table", room: id })}>
              {lobby.back}
            </a>
          </div>
        );
      })}
    </div>
  );
}

/** Let it be heard when a table begins while we look around. */
function useKnock(playing: number): void {
  const before = useRef(playing);
  useEffect(() => {
    if (playing > before.current) sound("check");
    before.current = playing;
  }, [playing]);
}

function says(seen: Seen | undefined) {
  const { lobby, table } = words.value;
  if (seen === undefined || seen.replaced) return lobby.yours;
  const { room, you } = seen;
  const now = time.now();
  if (room.phase === "waiting") {
    return text.value.yours.waiting(gameName(room.game), waitText(now - waitsSince(room, now)));
  }
  if (room.phase === "over") return `${gameName(room.game)} ${room.code}: ${outcomeOf(room, you)}`;
  return (
    <>
      {yourTurn(seen) ? <strong>{table.yourTurn}</strong> : text.value.yours.seat}: {gameName(room.game)} {room.code}
    </>
  );
}
