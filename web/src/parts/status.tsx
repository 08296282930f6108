/** What stands under the board: whose turn, who won, what else there is to know, and the one thing to do about it. */

import { reasonText, winText, words } from "../i18n";
import type { GameParts, Scene } from "../games/game";
import { begin, comeBack, isUp, sit, time } from "../session";
import type { Room } from "../room";
import type { Seen } from "../store";
import { secondsUntil } from "../time";
import { nameAt } from "../turn";
import type { GameName, Seat } from "../wire";
import { Note } from "./note";
import { useTicking } from "./ticking";

interface StatusProps {
  seen: Seen;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

export function StatusLine({ seen, scene, parts }: StatusProps) {
  const { room, you } = seen;
  const own = parts?.status(scene) ?? null;
  const { table } = words.value;
  const kept = scene.pending !== null && !isUp.value;
  const mine = own ? own.mine : turnIsMine(room, you);
  if (seen.replaced) {
    return (
      <div class="status status-replaced" role="alert">
        <p class="status-text">{table.replaced}</p>
        <button class="primary" disabled={!isUp.value} onClick={() => comeBack(room.id)}>
          {table.takeBack}
        </button>
      </div>
    );
  }
  const classes = ["status", mine && "status-mine", room.phase === "over" && "status-over", scene.back && "status-back"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <div class="status-words">
        <p class="status-text">{kept ? table.willSend : own ? own.text : says(room, you)}</p>
        <Note seen={seen} sending={scene.pending !== null && isUp.value} />
      </div>
      {own?.button ? (
        <Next
          label={own.button.label}
          until={own.button.until ?? null}
          busy={scene.pending !== null}
          onClick={own.button.press}
        />
      ) : (
        <Start room={room} you={you} />
      )}
    </div>
  );
}

/** Begin the game as its host, or sit down where a seat is free. */
function Start({ room, you }: { room: Room; you: Seat | null }) {
  const { table } = words.value;
  const free = room.phase !== "playing" && room.phase !== "closed" && room.chairs.includes(null);
  const hosts = room.host === you && mayBegin(room);
  if (!hosts && !(free && you === null)) return null;
  return (
    <button class="primary" disabled={!isUp.value} onClick={() => (hosts ? begin(room.id) : sit(room.id))}>
      {hosts ? table.start : table.sitHere}
    </button>
  );
}

interface NextProps {
  label: string;
  until: number | null;
  busy: boolean;
  onClick: () => void;
}

/** Goes on; with a clock it goes on by itself, and says when. */
function Next({ label, until, busy, onClick }: NextProps) {
  useTicking(until !== null, 500);
  const rest = until === null ? "" : ` (${secondsUntil(until, time.now())})`;
  return (
    <button class="primary" disabled={busy} onClick={onClick}>
      {label}
      {rest}
    </button>
  );
}

/** Tell whether everybody waits for the host. */
function mayBegin(room: Room): boolean {
  return room.table.hosted === true && !room.chairs.includes(null) && (room.phase === "waiting" || room.phase === "over");
}

function turnIsMine(room: Room, you: Seat | null): boolean {
  if (room.phase === "over") return you !== null && !!room.result?.winners.includes(you);
  return you !== null && room.phase === "playing" && room.to_act.includes(you);
}

/** Return the state of the table in a sentence. */
export function says(room: Room, you: Seat | null): string {
  const { table, outcome } = words.value;
  if (room.phase === "closed") return table.closed;
  if (room.phase === "waiting") {
    if (mayBegin(room)) return room.host === you ? table.startYours : table.startWaits(nameAt(room, room.host));
    return you === null ? table.seatFree : table.waiting;
  }
  if (room.phase === "over" && room.result) {
    const { winners } = room.result;
    const reason = reasonText(room.result.reason);
    const mine = you !== null && winners.includes(you);
    const who = mine ? outcome.youWin : winText(winners.map((seat) => nameAt(room, seat)));
    return reason ? outcome.because(who, reason) : who;
  }
  const [seat] = room.to_act;
  if (seat === undefined) return "";
  if (you !== null && room.to_act.includes(you)) return table.yourTurn;
  return room.chairs[seat]?.bot ? table.thinking(nameAt(room, seat)) : table.turnOf(nameAt(room, seat));
}
