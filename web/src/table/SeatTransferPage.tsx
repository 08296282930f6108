/** Page on the other device that takes over a seat. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { texts } from "../i18n/language";
import { href } from "../app/route";
import { claimSeat } from "../net/commands";
import { awaitedIntent, isConnected } from "../net/session";

export function SeatTransferPage({ ticket }: { ticket: string }) {
  const { seatTransferPage } = texts.value;
  const requested = useSignal(false);
  const taking = awaitedIntent.value?.type === "claim_seat";
  const refused = requested.value && !taking;
  useEffect(() => () => void (awaitedIntent.peek()?.type === "claim_seat" && (awaitedIntent.value = null)), []);
  return (
    <div class="message-page seat">
      {!refused && <h1>{seatTransferPage.title}</h1>}
      <p>{refused ? texts.value.refusals.bad_ticket : seatTransferPage.question}</p>
      {!refused && <p class="soft">{seatTransferPage.hint}</p>}
      <div class="buttons">
        {!refused && (
          <button
            class="primary"
            disabled={!isConnected.value || taking}
            onClick={() => {
              requested.value = true;
              claimSeat(ticket);
            }}
          >
            {taking ? seatTransferPage.taking : seatTransferPage.here}
          </button>
        )}
        <a class="button" href={href({ at: "lobby" })}>
          {refused ? texts.value.toLobby : seatTransferPage.no}
        </a>
      </div>
    </div>
  );
}
