/** Page on the other device that takes over a seat. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { texts } from "../i18n/language";
import { MessagePage } from "../app/MessagePage";
import { claimSeat } from "../net/commands";
import { awaitedIntent, isConnected } from "../net/session";

export function SeatTransferPage({ ticket }: { ticket: string }) {
  const { seatTransferPage } = texts.value;
  const requested = useSignal(false);
  const taking = awaitedIntent.value?.type === "claim_seat";
  const refused = requested.value && !taking;
  useEffect(() => () => void (awaitedIntent.peek()?.type === "claim_seat" && (awaitedIntent.value = null)), []);
  if (refused) return <MessagePage title={texts.value.refusals.bad_ticket} />;
  return (
    <MessagePage title={seatTransferPage.title} text={texts.value.punctuation.sentences(seatTransferPage.question, seatTransferPage.hint)}>
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
    </MessagePage>
  );
}
