/** Buttons for offers, resigning and leaving, each confirmed in place. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { partsOf } from "../../games/gameRegistry";
import { tableRulesOf } from "../tableRules";
import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { href } from "../../app/route";
import { answer, leave, offer, resign, withdraw } from "../../net/commands";
import { isConnected, pendingCommands } from "../../net/session";
import type { TableState } from "../../net/store";
import { showToast } from "../../app/toastState";
import type { OfferKind } from "../../net/protocol";
import { ConfirmButton } from "./ConfirmButton";
import { confirming, confirmationText, type ConfirmedAction } from "./confirmation";
import { YesNoButtons } from "./YesNoButtons";
import { ReplayLink } from "./ReplayLink";
import { WhileWaiting } from "../../lobby/mine/WhileWaiting";
import { isBegun, isWaitingForPlayers } from "../turn";
import { isPanelShown } from "../result/openResult";

export function ActionBar({ seen }: { seen: TableState }) {
  const { room, you, replaced } = seen;
  const playing = room.phase === "playing";
  // The panel with the result has the actions after a game.
  const inPanel = isPanelShown.value;
  const mayRematch = room.phase === "over" && !room.seats.includes(null) && !inPanel;
  const tools = partsOf(room.game)?.offerKinds ?? [];
  // A confirmation applies to this game only.
  useEffect(() => () => void (confirming.value = null), [room.id, room.match, room.phase]);
  if (you === null || replaced) {
    return (
      <div class="action-bar">
        {!inPanel && <ReplayButton room={room} />}
        <div class="action action-leave">
          {replaced ? (
            // Another tab uses the seat: leaving here must not give it up.
            <a class="button" href={href({ at: "lobby" })}>
              {texts.value.toLobby}
            </a>
          ) : (
            <button disabled={!isConnected.value} onClick={() => leave(room.id)}>
              {texts.value.table.leave}
            </button>
          )}
        </div>
      </div>
    );
  }
  return (
    <div class={playing ? "action-bar action-bar-playing" : "action-bar"} style={{ "--places": Math.max(4, tools.length + 2) }}>
      {playing && tools.map((kind) => <OfferPrompt key={kind} seen={seen} kind={kind} />)}
      {mayRematch && <OfferPrompt key="rematch" seen={seen} kind="rematch" />}
      {!inPanel && <ReplayButton room={room} />}
      {isWaitingForPlayers(seen) && <WhileWaiting room={room} part="button" />}
      {playing && !room.table.substitute_bot && <LeaveButton key="resign" seen={seen} what="resign" onYes={() => resign(room.id)} />}
      <LeaveButton key="leave" seen={seen} what="leave" onYes={() => leave(room.id)} />
    </div>
  );
}

/** Link to the replay of the game that has just ended. */
function ReplayButton({ room }: { room: Room }) {
  if (room.phase !== "over" || !isBegun(room)) return null;
  return (
    <div class="action action-replay">
      <ReplayLink room={room} />
    </div>
  );
}

/** One kind of offer: make it, wait or withdraw it, or answer it. */
export function OfferPrompt({ seen, kind }: { seen: TableState; kind: OfferKind }) {
  const { room, you } = seen;
  const { table } = texts.value;
  const standing = room.offers.find((one) => one.kind === kind);
  const { title, question, waiting } = table.offers[kind];
  if (standing && you !== null && standing.asked.includes(you)) {
    return (
      <div class="action action-asked" data-home="">
        <YesNoButtons
          key={standing.id}
          label={question(room.seats[standing.seat]?.name ?? "")}
          yes={table.accept}
          no={table.decline}
          onYes={() => answer(room.id, standing.id, true)}
          onNo={() => answer(room.id, standing.id, false)}
        />
      </div>
    );
  }
  if (standing) {
    return (
      <div class="action" data-home="">
        {standing.seat === you ? (
          <ConfirmButton key={standing.id} class="action-withdraw" title={waiting} onClick={() => withdraw(room.id, standing.id)}>
            {table.withdraw}
          </ConfirmButton>
        ) : (
          <button disabled>{table.offers[kind].name}</button>
        )}
      </div>
    );
  }
  return (
    <div class="action" data-home="">
      <OfferButton key={kind} seen={seen} kind={kind} title={title} />
    </div>
  );
}

function OfferButton({ seen: { room }, kind, title }: { seen: TableState; kind: OfferKind; title: string }) {
  const { table } = texts.value;
  const parts = partsOf(room.game);
  const make = () => offer(room.id, kind);
  if (kind === "rematch") {
    return (
      <ConfirmButton class="primary" disabled={!isConnected.value || isWaitingFor(room.id)} onClick={make}>
        {table.offers.rematch.name}
      </ConfirmButton>
    );
  }
  if (kind === "undo" && !tableRulesOf(room.table).undoAllowed) {
    const why = texts.value.tableInfo.noUndo;
    return (
      <button class="forbidden" aria-disabled="true" title={why} onClick={() => showToast(why)}>
        {table.offers.undo.name}
      </button>
    );
  }
  const now = room.position && parts ? parts.possibleOffers(room.position) : [];
  return (
    <button
      class={kind === "swap" && !now.includes(kind) ? "unseen" : ""}
      title={title}
      disabled={!isConnected.value || !now.includes(kind) || isWaitingFor(room.id)}
      onClick={make}
    >
      {table.offers[kind].name}
    </button>
  );
}

/** Resign or leave; during a game it asks for confirmation in place. */
interface LeaveButtonProps {
  seen: TableState;
  what: ConfirmedAction;
  icon?: ComponentChildren;
  onYes: () => void;
}

export function LeaveButton({ seen: { room }, what, icon, onYes }: LeaveButtonProps) {
  const { table } = texts.value;
  const close = () => (confirming.value = null);
  if (room.phase === "playing" && confirming.value?.room === room.id && confirming.value.what === what) {
    return (
      <div class={`action action-asked action-${what}`} data-home="">
        <YesNoButtons label={confirmationText(room, what)} yes={table[what]} no={texts.value.cancel} question onYes={onYes} onNo={close} />
      </div>
    );
  }
  return (
    <div class={`action action-${what}`} data-home="">
      <button
        disabled={!isConnected.value}
        onClick={() => (room.phase === "playing" ? (confirming.value = { room: room.id, what }) : onYes())}
      >
        {icon}
        <span class="leave-text">{table[what]}</span>
      </button>
    </div>
  );
}

const OFFER_COMMANDS: ReadonlySet<string> = new Set(["offer", "answer", "withdraw"]);

/** Tell whether an offer, an answer or a withdrawal is being sent. */
function isWaitingFor(room: string): boolean {
  return pendingCommands.list.value.some((one) => one.room === room && OFFER_COMMANDS.has(one.type));
}
