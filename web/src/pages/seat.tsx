/** Asks whether a seat should go on here, on this device, and takes it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { words } from "../i18n";
import { text } from "../i18n/room";
import { href } from "../route";
import { awaited, isUp, takeSeat } from "../session";

export function SeatPage({ ticket }: { ticket: string }) {
  const { seat } = text.value;
  const asked = useSignal(false);
  const taking = awaited.value?.type === "take";
  const refused = asked.value && !taking;
  useEffect(() => () => void (awaited.peek()?.type === "take" && (awaited.value = null)), []);
  return (
    <div class="shut seat">
      {!refused && <h1>{seat.title}</h1>}
      <p>{refused ? words.value.refusals.ticket : seat.question}</p>
      {!refused && <p class="soft">{seat.hint}</p>}
      <div class="buttons">
        {!refused && (
          <button
            class="primary"
            disabled={!isUp.value || taking}
            onClick={() => {
              asked.value = true;
              takeSeat(ticket);
            }}
          >
            {taking ? seat.taking : seat.here}
          </button>
        )}
        <a class="button" href={href({ at: "lobby" })}>
          {refused ? words.value.toLobby : seat.no}
        </a>
      </div>
    </div>
  );
}
