/** Moves a seat to another device: a code to scan and a link, good for a few minutes. */

import { useEffect, useRef } from "preact/hooks";
import { text } from "../i18n/room";
import { seatLink } from "../route";
import { handOver, isUp, ticket, time } from "../session";
import { clockFace } from "../time";
import type { RoomId } from "../wire";
import { Qr } from "./qr";
import { useTicking } from "./ticking";

export function HandOver({ room }: { room: RoomId }) {
  const { hand } = text.value;
  const mine = ticket.value?.room === room ? ticket.value : null;
  const ref = useRef<HTMLDivElement>(null);
  useTicking(mine !== null, 1000);
  useEffect(() => {
    if (mine !== null) ref.current?.scrollIntoView({ block: "nearest" });
  }, [mine]);
  if (mine === null) {
    return (
      <div class="handover" data-home="">
        <button class="small" disabled={!isUp.value} onClick={() => handOver(room)}>
          {hand.ask}
        </button>
        <small class="soft">{hand.hint}</small>
      </div>
    );
  }
  const left = mine.expires - time.now();
  const link = seatLink(mine.ticket);
  return (
    <div class="handover handover-open" ref={ref} data-home="">
      {left > 0 ? (
        <>
          <p>{hand.scan(clockFace(Math.max(10_000, left)))}</p>
          <div class="handover-code">
            <Qr text={link} label={hand.label} />
          </div>
          <input readOnly aria-label={hand.label} value={link} onFocus={(event) => event.currentTarget.select()} />
        </>
      ) : (
        <p>{hand.expired}</p>
      )}
      <div class="buttons">
        {left <= 0 && (
          <button class="small" disabled={!isUp.value} onClick={() => handOver(room)}>
            {hand.again}
          </button>
        )}
        <button class="small" onClick={() => (ticket.value = null)}>
          {hand.cancel}
        </button>
      </div>
    </div>
  );
}
