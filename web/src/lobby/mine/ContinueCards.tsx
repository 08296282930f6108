/** Tables where you have a seat: yours to move first, then running, waiting and finished ones. */

import { useEffect } from "preact/hooks";
import { href } from "../../app/route";
import { useInterval } from "../../common/useInterval";
import { partsOf } from "../../games/gameRegistry";
import { gameName, nameList, texts } from "../../i18n/language";
import { leave } from "../../net/commands";
import type { RoomId } from "../../net/protocol";
import { isConnected, state, time } from "../../net/session";
import type { TableState } from "../../net/store";
import { statusText } from "../../table/StatusLine";
import { isYourTurn, nameAt } from "../../table/turn";
import { MiniBoard } from "../rail/MiniBoard";
import { durationText, waitingSince } from "../waitingTime";

/** Cards in the lobby; the page of your games has the rest. */
const MOST_CARDS = 2;
const COUNT_KEY = "qipai.seats";
const BOARD_SIZE = 60;

/** Return your open tables, the most urgent first. */
export function openTables(): readonly RoomId[] {
  const { myRooms, tables } = state.value;
  const rank = (id: RoomId) => {
    const seen = tables[id];
    if (seen === undefined) return 3;
    return isYourTurn(seen) ? 0 : seen.room.phase === "playing" ? 1 : 2;
  };
  return myRooms.filter((id) => tables[id]?.room.phase !== "closed").sort((one, other) => rank(one) - rank(other));
}

export function ContinueCards() {
  const { yourTables } = texts.value;
  const { games, tables } = state.value;
  const open = openTables();
  const answered = games.length > 0;
  // Before the server has answered, as many as at the end of the last visit, so that nothing moves.
  const count = answered ? open.length : Number(localStorage.getItem(COUNT_KEY) ?? 0);
  useEffect(() => {
    if (answered) localStorage.setItem(COUNT_KEY, String(open.length));
  }, [answered, open.length]);
  useInterval(open.some((id) => tables[id]?.room.phase === "waiting"), 1_000);
  if (count === 0) return null;
  return (
    <section class="continue" aria-label={yourTables.title}>
      {answered ? open.slice(0, MOST_CARDS).map((id) => <ContinueCard key={id} id={id} />) : <div class="your-tables" />}
      {open.length > MOST_CARDS && (
        <a class="continue-more" href={href({ at: "mine" })}>
          {yourTables.more(open.length - MOST_CARDS)}
        </a>
      )}
    </section>
  );
}

export function ContinueCard({ id }: { id: RoomId }) {
  const { yourTables, table, lobby } = texts.value;
  const seen = state.value.tables[id];
  const phase = seen?.room.phase;
  return (
    <div class="your-tables">
      {seen?.room.position ? <MiniBoard room={seen.room} you={seen.you} size={BOARD_SIZE} /> : <span class="mini-board" />}
      <div class="your-tables-text">
        <strong>{seen ? headline(seen) : lobby.youHaveSeat}</strong>
        <span class="soft">{seen && facts(seen)}</span>
      </div>
      {(phase === "waiting" || phase === "over") && (
        <button class="quiet" disabled={!isConnected.value} onClick={() => leave(id)}>
          {phase === "over" ? table.leave : yourTables.stop}
        </button>
      )}
      <a class="button your-tables-go" href={href({ at: "table", room: id })}>
        {phase === "playing" ? yourTables.resume : lobby.backToTable}
      </a>
    </div>
  );
}

/** Return the state of a table in a sentence. */
export function headline(seen: TableState): string {
  const { lobby, yourTables } = texts.value;
  const { room, you } = seen;
  const now = time.now();
  if (seen.replaced) return lobby.youHaveSeat;
  if (room.phase === "waiting") return yourTables.waiting(gameName(room.game), durationText(now - waitingSince(room, now)));
  if (room.phase === "over") return statusText(room, you);
  const others = nameList(room.seats.flatMap((taken, seat) => (taken && seat !== you ? [nameAt(room, seat)] : [])));
  if (isYourTurn(seen)) return yourTables.yourMove(others);
  return room.to_act.length === 1 ? yourTables.theirMove(nameAt(room, room.to_act[0]!)) : yourTables.seat;
}

function facts({ room }: TableState): string {
  const parts = partsOf(room.game);
  const tags = parts?.tags?.(room.options, texts.value) ?? [];
  const heading = room.position && parts ? [parts.heading(room.position, texts.value)] : [];
  return [gameName(room.game), ...tags, ...(room.phase === "playing" ? heading : []), room.table.title, room.code].filter(Boolean).join(" · ");
}
