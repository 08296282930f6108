/** Line under the board: whose turn, who won, and the next action. */

import type { ComponentChildren } from "preact";
import { href } from "../app/route";
import { texts } from "../i18n/language";
import type { GameParts, Scene, Status } from "../games/gameInterface";
import { joinTable, rejoin, startGame } from "../net/commands";
import { isConnected, state, time } from "../net/session";
import type { Room } from "../net/roomReducer";
import type { TableState } from "../net/store";
import { secondsUntil } from "../net/serverTime";
import { DraftControls } from "./inPlay/lazy";
import { nameAt } from "./turn";
import type { GameName, Seat } from "../net/protocol";
import { outcomeText } from "./result/outcomeText";
import { StatusNote } from "./StatusNote";
import { useInterval } from "../common/useInterval";

interface StatusProps {
  seen: TableState;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
  /** Further buttons. */
  children?: ComponentChildren;
}

export function StatusLine({ seen, scene, parts, children }: StatusProps) {
  const { room, you } = seen;
  const own = gameStatus(scene, parts);
  const { table } = texts.value;
  const isWaiting = scene.pending !== null && !isConnected.value;
  const mine = own ? own.mine : turnIsMine(room, you);
  if (seen.replaced) {
    return (
      <div class="status status-replaced" role="alert">
        <p class="status-text">{table.replaced}</p>
        <button class="primary" disabled={!isConnected.value} onClick={() => rejoin(room.id)}>
          {table.moveHere}
        </button>
      </div>
    );
  }
  const classes = ["status", mine && "status-mine", room.phase === "over" && "status-over", scene.cursor && "status-back"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <div class="status-body">
        <p class="status-text">{isWaiting ? table.willSend : own ? own.text : statusText(room, you)}</p>
        <StatusNote seen={seen} sending={scene.pending !== null && isConnected.value} />
      </div>
      {own?.buttons ? (
        <div class="buttons status-choices">
          {own.buttons.map(({ label, press }) => (
            <button class="primary" key={label} onClick={press}>
              {label}
            </button>
          ))}
        </div>
      ) : own?.button ? (
        <NextButton
          label={own.button.label}
          until={own.button.until ?? null}
          busy={scene.pending !== null}
          onClick={own.button.press}
        />
      ) : (
        <StartButton room={room} you={you} />
      )}
      {scene.draft && scene.mayMove && <DraftControls onConfirm={own?.button?.press ?? null} onCancel={() => scene.setDraft(null)} />}
      {children}
    </div>
  );
}

/** Return the status of the game, or that of a move that waits for confirmation; null: the default of the table. */
export function gameStatus(scene: Scene<GameName>, parts: GameParts<GameName> | undefined): Status | null {
  const own = parts?.status(scene) ?? null;
  const { draft, mayMove, play, texts: { table } } = scene;
  if (own || !draft || !mayMove) return own;
  return { text: table.confirmMove, mine: true, button: { label: table.confirm, press: () => play(draft) } };
}

/** Starts the game as its host, or takes an open seat. */
function StartButton({ room, you }: { room: Room; you: Seat | null }) {
  const { table } = texts.value;
  const free = room.phase !== "playing" && room.phase !== "closed" && room.seats.includes(null);
  const hosts = room.host === you && mayStart(room);
  if (!hosts && !(free && you === null)) return null;
  if (!hosts && room.table.rated && !state.value.account) {
    return (
      <a class="button primary" href={href({ at: "account" })}>
        {texts.value.rated.signIn}
      </a>
    );
  }
  return (
    <button class="primary" disabled={!isConnected.value} onClick={() => (hosts ? startGame(room.id) : joinTable(room.id))}>
      {hosts ? table.start : table.sitHere}
    </button>
  );
}

interface NextButtonProps {
  label: string;
  until: number | null;
  busy: boolean;
  onClick: () => void;
}

/** Continues; with a clock it shows when the game continues by itself. */
function NextButton({ label, until, busy, onClick }: NextButtonProps) {
  useInterval(until !== null, 500);
  const text = until === null ? label : texts.value.punctuation.withNote(label, String(secondsUntil(until, time.now())));
  return (
    <button class="primary" disabled={busy} onClick={onClick}>
      {text}
    </button>
  );
}

/** Tell whether the game waits for the host to start it. */
function mayStart(room: Room): boolean {
  return room.table.legacy?.host_starts === true && !room.seats.includes(null) && (room.phase === "waiting" || room.phase === "over");
}

function turnIsMine(room: Room, you: Seat | null): boolean {
  if (room.phase === "over") return you !== null && !!room.result?.winners.includes(you);
  return you !== null && room.phase === "playing" && room.to_act.includes(you);
}

/** Return the state of the table in a sentence. */
export function statusText(room: Room, you: Seat | null): string {
  const { table } = texts.value;
  if (room.phase === "closed") return table.closed;
  if (room.phase === "waiting") {
    if (mayStart(room)) return room.host === you ? table.startYours : table.startWaits(nameAt(room, room.host));
    return you === null ? table.seatFree : table.waiting;
  }
  if (room.phase === "over" && room.result) return outcomeText(room, you);
  const [seat] = room.to_act;
  if (seat === undefined) return "";
  if (you !== null && room.to_act.includes(you)) return table.yourTurn;
  return room.seats[seat]?.bot ? table.thinking(nameAt(room, seat)) : table.turnOf(nameAt(room, seat));
}
