/** Offers and exits; each kind has its own place that never moves. */

import { useSignal } from "@preact/signals";
import { words } from "../i18n";
import { answer, isUp, leave, offer, outbox, resign } from "../session";
import type { Seen } from "../store";
import { nameAt } from "../turn";
import type { OfferKind } from "../wire";
import { Armed } from "./armed";
import { Confirm } from "./dialog";
import { Invite } from "./share";

export function Deeds({ seen }: { seen: Seen }) {
  const { room, you } = seen;
  const { table } = words.value;
  const asking = useSignal<"resign" | "leave" | null>(null);
  const playing = room.phase === "playing";
  if (you === null) {
    return (
      <div class="deeds">
        <p class="soft deeds-text">{table.watching}</p>
        <button disabled={!isUp.value} onClick={() => leave(room.id)}>
          {table.leave}
        </button>
      </div>
    );
  }
  const close = () => (asking.value = null);
  return (
    <div class="deeds">
      <div class="deeds-offers">
        {room.phase === "waiting" && <Invite room={room} />}
        {room.phase === "over" && !room.chairs.includes(null) && <Proposal seen={seen} kind="rematch" />}
        {room.offers
          .filter(({ kind }) => kind !== "rematch")
          .map(({ kind }) => (
            <Proposal key={kind} seen={seen} kind={kind} />
          ))}
      </div>
      <div class="buttons">
        {playing && (
          <button disabled={!isUp.value} onClick={() => (asking.value = "resign")}>
            {table.resign}
          </button>
        )}
        <button disabled={!isUp.value} onClick={() => (playing ? (asking.value = "leave") : leave(room.id))}>
          {table.leave}
        </button>
      </div>
      {asking.value === "resign" && (
        <Confirm question={table.resignAsk} yes={table.resign} onYes={() => resign(room.id)} onClose={close} />
      )}
      {asking.value === "leave" && (
        <Confirm question={table.leaveAsk} yes={table.leave} onYes={() => leave(room.id)} onClose={close} />
      )}
    </div>
  );
}

/** One kind of offer: make it, wait for the answer, or answer it. */
function Proposal({ seen, kind }: { seen: Seen; kind: OfferKind }) {
  const { room, you } = seen;
  const { table } = words.value;
  const standing = room.offers.find((one) => one.kind === kind);
  const sending = outbox.list.value.some((one) => one.room === room.id && (one.type === "offer" || one.type === "answer"));
  if (standing && you !== null && standing.asked.includes(you)) {
    const wanted = { rematch: table.rematchWanted, draw: table.drawWanted, undo: table.undoWanted }[kind];
    return (
      <div class="offer" role="alert" key={standing.id}>
        <p>{wanted(nameAt(room, standing.seat))}</p>
        <div class="buttons">
          <Armed class="primary" onClick={() => answer(room.id, standing.id, true)}>
            {table.accept}
          </Armed>
          <Armed onClick={() => answer(room.id, standing.id, false)}>{table.decline}</Armed>
        </div>
      </div>
    );
  }
  const asked = { rematch: table.rematchAsked, draw: table.drawAsked, undo: table.undoAsked }[kind];
  if (standing) return <p class="offer soft">{asked}</p>;
  return (
    <div class="offer">
      <button class="primary" disabled={!isUp.value || sending} onClick={() => offer(room.id, kind)}>
        {table[kind]}
      </button>
    </div>
  );
}
