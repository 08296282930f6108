/** While you play the computer: your seat that still waits for a person, and the way there when one comes. */

import { useEffect, useRef } from "preact/hooks";
import { go, href, route } from "../../app/route";
import { showToast } from "../../app/toastState";
import { useInterval } from "../../common/useInterval";
import { texts } from "../../i18n/language";
import type { RoomId } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { stopWaiting } from "../../net/commands";
import { isConnected, state } from "../../net/session";
import type { TableState } from "../../net/store";
import { isWaitingForPlayers, nameAt } from "../../table/turn";
import { headline } from "./ContinueCards";

/** Tell whether everybody else at a table is a bot. */
export function isAgainstBots({ room, you }: TableState): boolean {
  return you !== null && room.seats.every((taken, seat) => seat === you || Boolean(taken?.bot));
}

/** Return the table to go to: one that waited and has begun while the user played the computer. */
export function begunTable(waiting: readonly RoomId[], tables: Readonly<Record<RoomId, TableState>>, here: TableState | undefined): Room | null {
  if (here === undefined || !isAgainstBots(here)) return null;
  return waiting.map((id) => tables[id]?.room).find((room) => room?.phase === "playing") ?? null;
}

export function WaitingElsewhere() {
  const { tables } = state.value;
  const at = route.value;
  const here = at.at === "table" ? at.room : null;
  const waiting = Object.values(tables).filter((seen) => seen.room.id !== here && isWaitingForPlayers(seen)).map(({ room }) => room.id);
  const before = useRef<readonly RoomId[]>([]);
  const ids = waiting.join();
  useEffect(() => {
    const begun = begunTable(before.current, tables, here === null ? undefined : tables[here]);
    before.current = waiting;
    if (begun === null) return;
    const you = tables[begun.id]?.you;
    const other = begun.seats.findIndex((taken, seat) => seat !== you && taken !== null && !taken.bot);
    showToast(texts.peek().whileWaiting.found(nameAt(begun, other)));
    go({ at: "table", room: begun.id });
  }, [ids]);
  useInterval(here !== null && waiting.length > 0, 1_000);
  const first = tables[waiting[0] ?? ""];
  if (here === null || first === undefined) return null;
  return (
    <div class="waiting-elsewhere">
      <a href={href({ at: "table", room: first.room.id })}>{headline(first)}</a>
      <button class="quiet" disabled={!isConnected.value} onClick={() => stopWaiting(first.room.id)}>
        {texts.value.yourTables.stop}
      </button>
    </div>
  );
}
