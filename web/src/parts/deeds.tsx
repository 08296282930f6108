/** Offers and exits: a row of places, each of which keeps to its own kind and is answered where it stands. */

import { useEffect } from "preact/hooks";
import { partsOf } from "../games/boards";
import { houseOf } from "../house";
import { words } from "../i18n";
import { text } from "../i18n/room";
import type { Room } from "../room";
import { href } from "../route";
import { answer, isUp, leave, offer, outbox, resign, withdraw } from "../session";
import type { Seen } from "../store";
import { toast } from "../toasts";
import type { OfferKind } from "../wire";
import { Armed } from "./armed";
import { asking, question, type Step } from "./asking";
import { Choice } from "./choice";
import { proposal } from "./proposal";
import { ReplayLink } from "./replaylink";

export function Deeds({ seen }: { seen: Seen }) {
  const { room, you, replaced } = seen;
  const playing = room.phase === "playing";
  const full = !room.chairs.includes(null);
  const tools = partsOf(room.game)?.tools ?? [];
  // A question is about this game only.
  useEffect(() => () => void (asking.value = null), [room.id, room.match, room.phase]);
  if (you === null || replaced) {
    return (
      <div class="deeds">
        <ReplayDeed room={room} />
        <div class="deed deed-leave">
          {replaced ? (
            // The seat is in use in another tab: going from here must not give it up.
            <a class="button" href={href({ at: "lobby" })}>
              {words.value.toLobby}
            </a>
          ) : (
            <button disabled={!isUp.value} onClick={() => leave(room.id)}>
              {words.value.table.leave}
            </button>
          )}
        </div>
      </div>
    );
  }
  return (
    <div class={playing ? "deeds deeds-playing" : "deeds"} style={{ "--places": Math.max(4, tools.length + 2) }}>
      {playing && tools.map((kind) => <Proposal key={kind} seen={seen} kind={kind} />)}
      {room.phase === "over" && full && <Proposal key="rematch" seen={seen} kind="rematch" />}
      <ReplayDeed room={room} />
      {playing && !room.table.standin && <Exit key="resign" seen={seen} what="resign" onYes={() => resign(room.id)} />}
      <Exit key="leave" seen={seen} what="leave" onYes={() => leave(room.id)} />
    </div>
  );
}

/** The way to the game that has just ended. */
function ReplayDeed({ room }: { room: Room }) {
  if (room.phase !== "over") return null;
  return (
    <div class="deed deed-replay">
      <ReplayLink room={room} />
    </div>
  );
}

/** One kind of offer: make it, wait for the answer or take it back, or answer it. */
function Proposal({ seen, kind }: { seen: Seen; kind: OfferKind }) {
  const { room, you } = seen;
  const { table } = words.value;
  const standing = room.offers.find((one) => one.kind === kind);
  const { title, wanted, asked } = proposal(table, kind);
  if (standing && you !== null && standing.asked.includes(you)) {
    return (
      <div class="deed deed-asked" data-home="">
        <Choice
          key={standing.id}
          label={wanted(room.chairs[standing.seat]?.name ?? "")}
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
      <div class="deed" data-home="">
        {standing.seat === you ? (
          <Armed key={standing.id} class="deed-withdraw" title={asked} onClick={() => withdraw(room.id, standing.id)}>
            {table.withdraw}
          </Armed>
        ) : (
          <button disabled>{table[kind]}</button>
        )}
      </div>
    );
  }
  return (
    <div class="deed" data-home="">
      <Offer key={kind} seen={seen} kind={kind} title={title} />
    </div>
  );
}

function Offer({ seen: { room }, kind, title }: { seen: Seen; kind: OfferKind; title: string }) {
  const { table } = words.value;
  const parts = partsOf(room.game);
  const make = () => offer(room.id, kind);
  if (kind === "rematch") {
    return (
      <Armed class="primary" off={!isUp.value || busy(room.id)} onClick={make}>
        {table.rematch}
      </Armed>
    );
  }
  if (kind === "undo" && !houseOf(room.table).takebacks) {
    const why = text.value.rules.noTakebacks;
    return (
      <button class="forbidden" aria-disabled="true" title={why} onClick={() => toast(why)}>
        {table.undo}
      </button>
    );
  }
  const now = room.position && parts ? parts.offers(room.position) : [];
  return (
    <button
      class={kind === "swap" && !now.includes(kind) ? "unseen" : ""}
      title={title}
      disabled={!isUp.value || !now.includes(kind) || busy(room.id)}
      onClick={make}
    >
      {table[kind]}
    </button>
  );
}

/** A way out; while a game runs it asks first, in its own place. */
function Exit({ seen: { room }, what, onYes }: { seen: Seen; what: Step; onYes: () => void }) {
  const { table } = words.value;
  const close = () => (asking.value = null);
  if (room.phase === "playing" && asking.value?.room === room.id && asking.value.what === what) {
    return (
      <div class={`deed deed-asked deed-${what}`} data-home="">
        <Choice label={question(room, what)} yes={table[what]} no={words.value.cancel} asked onYes={onYes} onNo={close} />
      </div>
    );
  }
  return (
    <div class={`deed deed-${what}`} data-home="">
      <button
        disabled={!isUp.value}
        onClick={() => (room.phase === "playing" ? (asking.value = { room: room.id, what }) : onYes())}
      >
        {table[what]}
      </button>
    </div>
  );
}

const BARGAINS: ReadonlySet<string> = new Set(["offer", "answer", "withdraw"]);

/** Tell whether an offer, an answer or a withdrawal is under way. */
function busy(room: string): boolean {
  return outbox.list.value.some((one) => one.room === room && BARGAINS.has(one.type));
}
