/** The second line under the board; its place is kept even when it has nothing to say. */

import { absent, consequence } from "../absence";
import { houseOf } from "../house";
import { words } from "../i18n";
import { text } from "../i18n/room";
import { time } from "../session";
import type { Seen } from "../store";
import { nameAt } from "../turn";
import { asking, question } from "./asking";
import { proposal } from "./proposal";
import { useTicking } from "./ticking";

interface NoteProps {
  seen: Seen;
  /** Our move is on its way. */
  sending: boolean;
}

export function Note({ seen, sending }: NoteProps) {
  const { room, you } = seen;
  const gone = absent(room).filter((seat) => seat !== you);
  useTicking(gone.length > 0, 500);
  const { table } = words.value;
  const asked = asking.value?.room === room.id ? question(room, asking.value.what) : "";
  const offers = room.offers.map((offer) => {
    const { wanted, asked: mine } = proposal(table, offer.kind);
    const forUs = you !== null && offer.asked.includes(you);
    return { forUs, text: offer.seat === you ? mine : wanted(nameAt(room, offer.seat)) };
  });
  const urgent = asked ? [asked] : offers.filter(({ forUs }) => forUs).map((offer) => offer.text);
  const away = gone.map((seat) => consequence(room, seat, time.now()));
  const rest = [...offers.filter(({ forUs }) => !forUs).map((offer) => offer.text), ...asides(seen)];
  if (urgent.length > 0) {
    return (
      <p class="note note-asked" role="alert">
        {urgent.join(" ")}
      </p>
    );
  }
  if (away.length > 0) return <p class="note note-away">{away.join(" ")}</p>;
  if (sending) return <p class="note late">{table.sending}</p>;
  return <p class="note">{rest.join(" ")}</p>;
}

/** What a watcher should know. */
function asides({ room, you, moved }: Seen): readonly string[] {
  if (you !== null) return room.phase === "over" && room.chairs.includes(null) ? [text.value.vacated] : [];
  if (moved) return [text.value.hand.moved];
  const { delay } = houseOf(room.table);
  // Whoever sees it later than the players is watching, and a phone has room for one of the two.
  return [delay > 0 ? text.value.behind(delay) : words.value.table.watching];
}
