/** Dialog with a QR code and link that moves a seat to another device. */

import { useEffect, useRef } from "preact/hooks";
import { texts } from "../i18n/language";
import { seatLink } from "../app/route";
import { requestSeatTransfer } from "../net/commands";
import { isConnected, ticket, time } from "../net/session";
import { clockFace } from "../net/serverTime";
import type { RoomId } from "../net/protocol";
import { QrCode } from "../common/QrCode";
import { useInterval } from "../common/useInterval";

export function SeatTransferDialog({ room }: { room: RoomId }) {
  const { seatTransfer } = texts.value;
  const mine = ticket.value?.room === room ? ticket.value : null;
  const ref = useRef<HTMLDivElement>(null);
  useInterval(mine !== null, 1000);
  useEffect(() => {
    if (mine !== null) ref.current?.scrollIntoView({ block: "nearest" });
  }, [mine]);
  if (mine === null) {
    return (
      <div class="seat-transfer" data-home="">
        <button class="small" disabled={!isConnected.value} onClick={() => requestSeatTransfer(room)}>
          {seatTransfer.ask}
        </button>
        <small class="soft">{seatTransfer.hint}</small>
      </div>
    );
  }
  const left = mine.expires - time.now();
  const link = seatLink(mine.ticket);
  return (
    <div class="seat-transfer seat-transfer-open" ref={ref} data-home="">
      {left > 0 ? (
        <>
          <p>{seatTransfer.scan(clockFace(Math.max(10_000, left)))}</p>
          <div class="seat-transfer-code">
            <QrCode text={link} label={seatTransfer.label} />
          </div>
          <input readOnly aria-label={seatTransfer.label} value={link} onFocus={(event) => event.currentTarget.select()} />
        </>
      ) : (
        <p>{seatTransfer.expired}</p>
      )}
      <div class="buttons">
        {left <= 0 && (
          <button class="small" disabled={!isConnected.value} onClick={() => requestSeatTransfer(room)}>
            {seatTransfer.again}
          </button>
        )}
        <button class="small" onClick={() => (ticket.value = null)}>
          {seatTransfer.cancel}
        </button>
      </div>
    </div>
  );
}
