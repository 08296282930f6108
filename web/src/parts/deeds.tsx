/** Offers and exits; each kind has its own place that never moves. */

import { useSignal } from "@preact/signals";
import { partsOf } from "../games/boards";
import { words } from "../i18n";
import type { Words } from "../i18n/words";
import { answer, isUp, leave, offer, outbox, resign, withdraw } from "../session";
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
  const full = !room.chairs.includes(null);
  return (
    <div class={playing ? "deeds deeds-playing" : "deeds"}>
      <div class="deeds-offers">
        {room.phase === "waiting" && !full && <Invite room={room} />}
        {room.phase === "over" && full && <Proposal seen={seen} kind="rematch" />}
        {playing && asking.value === "resign" && (
          <Confirm question={table.resignAsk} yes={table.resign} onYes={() => resign(room.id)} onClose={close} />
        )}
        {playing && asking.value === "leave" && (
          <Confirm question={room.table.standin ? table.leaveToBot : table.leaveAsk} yes={table.leave} onYes={() => leave(room.id)} onClose={close} />
        )}
        {room.offers
          .filter(({ kind }) => kind !== "rematch")
          .map(({ kind }) => (
            <Proposal key={kind} seen={seen} kind={kind} />
          ))}
      </div>
      <div class="tools">
        {playing && <Tools seen={seen} />}
        {playing && !room.table.standin && (
          <button disabled={!isUp.value} onClick={() => (asking.value = "resign")}>
            {table.resign}
          </button>
        )}
        <button disabled={!isUp.value} onClick={() => (playing ? (asking.value = "leave") : leave(room.id))}>
          {table.leave}
        </button>
      </div>
    </div>
  );
}

/** What this game lets players propose; what makes no sense now keeps its place. */
function Tools({ seen: { room } }: { seen: Seen }) {
  const { table } = words.value;
  const parts = partsOf(room.game);
  const now = room.position && parts ? parts.offers(room.position) : [];
  return parts?.tools.map((kind) => (
    <button
      key={kind}
      class={kind === "swap" && !now.includes(kind) ? "unseen" : ""}
      title={proposal(table, kind).title}
      disabled={!isUp.value || !now.includes(kind) || busy(room.id) || room.offers.some((one) => one.kind === kind)}
      onClick={() => offer(room.id, kind)}
    >
      {table[kind]}
    </button>
  ));
}

/** One kind of offer: make it, wait for the answer or take it back, or answer it. */
function Proposal({ seen, kind }: { seen: Seen; kind: OfferKind }) {
  const { room, you } = seen;
  const { table } = words.value;
  const standing = room.offers.find((one) => one.kind === kind);
  const { wanted, asked } = proposal(table, kind);
  if (standing && you !== null && standing.asked.includes(you)) {
    return (
      <div class="offer offer-asked" role="alert" key={standing.id}>
        <p>{wanted(nameAt(room, standing.seat))}</p>
        <div class="buttons">
          <Armed class="small primary" onClick={() => answer(room.id, standing.id, true)}>
            {table.accept}
          </Armed>
          <Armed class="small" onClick={() => answer(room.id, standing.id, false)}>
            {table.decline}
          </Armed>
        </div>
      </div>
    );
  }
  if (standing && standing.seat === you) {
    return (
      <div class="offer" key={standing.id}>
        <p class="soft">{asked}</p>
        <Armed class="small" onClick={() => withdraw(room.id, standing.id)}>
          {table.withdraw}
        </Armed>
      </div>
    );
  }
  if (standing) return <p class="offer soft">{asked}</p>;
  return (
    <div class="offer">
      <button class="primary" disabled={!isUp.value || busy(room.id)} onClick={() => offer(room.id, kind)}>
        {table[kind]}
      </button>
    </div>
  );
}

interface Wording {
  title: string;
  wanted: (name: string) => string;
  asked: string;
}

function proposal(table: Words["table"], kind: OfferKind): Wording {
  return {
    rematch: { title: table.rematch, wanted: table.rematchWanted, asked: table.rematchAsked },
    draw: { title: table.drawTitle, wanted: table.drawWanted, asked: table.drawAsked },
    undo: { title: table.undoTitle, wanted: table.undoWanted, asked: table.undoAsked },
    swap: { title: table.swapTitle, wanted: table.swapWanted, asked: table.swapAsked },
  }[kind];
}

const BARGAINS: ReadonlySet<string> = new Set(["offer", "answer", "withdraw"]);

/** Tell whether an offer, an answer or a withdrawal is under way. */
function busy(room: string): boolean {
  return outbox.list.value.some((one) => one.room === room && BARGAINS.has(one.type));
}
