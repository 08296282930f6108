/** Second line under the board: absent players, offers, hints. */

import { absentPlayers, absenceText } from "./absentPlayers";
import { tableRulesOf } from "./tableRules";
import { texts } from "../i18n/language";
import { time } from "../net/session";
import type { TableState } from "../net/store";
import { nameAt } from "./turn";
import { confirming, confirmationText } from "./actions/confirmation";
import { useInterval } from "../common/useInterval";

interface StatusNoteProps {
  seen: TableState;
  /** A move is being sent. */
  sending: boolean;
}

export function StatusNote({ seen, sending }: StatusNoteProps) {
  const { room, you } = seen;
  const absent = absentPlayers(room).filter((seat) => seat !== you);
  useInterval(absent.length > 0, 500);
  const { table } = texts.value;
  const question = confirming.value?.room === room.id ? confirmationText(room, confirming.value.what) : "";
  const offers = room.offers.map((offer) => {
    const { question, waiting: mine } = table.offers[offer.kind];
    const forUs = you !== null && offer.asked.includes(you);
    return { forUs, text: offer.seat === you ? mine : question(nameAt(room, offer.seat)) };
  });
  const urgent = question ? [question] : offers.filter(({ forUs }) => forUs).map((offer) => offer.text);
  const away = absent.map((seat) => absenceText(room, seat, time.now()));
  const rest = [...offers.filter(({ forUs }) => !forUs).map((offer) => offer.text), ...notes(seen)];
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

/** Notes for spectators. */
function notes({ room, you, seatMoved }: TableState): readonly string[] {
  if (you !== null) return room.phase === "over" && room.seats.includes(null) ? [texts.value.tableInfo.seatVacated] : [];
  if (seatMoved) return [texts.value.seatTransfer.moved];
  const { spectatorDelay } = tableRulesOf(room.table);
  // A delay implies watching, and a phone has room for one note.
  return [spectatorDelay > 0 ? texts.value.tableInfo.youAreDelayed(spectatorDelay) : texts.value.table.watching];
}
