/** Invites players: link, code and QR code of the table. */

import { useSignal } from "@preact/signals";
import { copyText } from "../common/clipboard";
import { gameName, texts } from "../i18n/language";
import type { Room } from "../net/roomReducer";
import { isLocalAddress, shareLink } from "../app/route";
import { time } from "../net/session";
import { showToast } from "../app/toastState";
import { WhileWaiting } from "../lobby/mine/WhileWaiting";
import { waitingSince, durationText } from "../lobby/waitingTime";
import { QrCode } from "../common/QrCode";
import { useInterval } from "../common/useInterval";
import "./styles/invite.css";

const tableLink = (room: Room): string => shareLink({ at: "table", room: room.id });

export function ShareLink({ room }: { room: Room }) {
  const { table } = texts.value;
  return (
    <div class="share">
      <span class="soft">
        {table.code} <strong class="code">{room.code}</strong>
      </span>
      <CopyLinkButton room={room} />
    </div>
  );
}

/** Link, QR code and table code; `withComputer`: also the button for a game with the computer, which is otherwise beside Leave. */
export function InvitePanel({ room, withComputer }: { room: Room; withComputer: boolean }) {
  const { table } = texts.value;
  const { invite } = texts.value;
  const link = tableLink(room);
  return (
    <section class="invite-panel" aria-label={invite.title}>
      <div class="invite-panel-body">
        <figure class="invite-panel-qr">
          <QrCode text={link} label={invite.picture} />
          <figcaption class="soft">{isLocalAddress() ? invite.local : invite.scan}</figcaption>
        </figure>
        <div class="invite-panel-ways">
          <label class="invite-panel-link">
            <span>{table.invite}</span>
            <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="buttons">
            <CopyLinkButton room={room} />
            <ShareButton room={room} />
          </div>
          <div class="invite-panel-text">
            <p class="soft">
              {invite.short} <strong class="invite-panel-code">{room.code}</strong>
            </p>
            <WaitingTime room={room} />
          </div>
          {isLocalAddress() && <p class="soft invite-panel-local">{invite.elsewhere}</p>}
        </div>
      </div>
      <WhileWaiting room={room} part={withComputer ? "both" : "hint"} />
    </section>
  );
}

/** Shows the waiting time. */
function WaitingTime({ room }: { room: Room }) {
  useInterval(true, 1_000);
  const now = time.now();
  return (
    <p class="soft invite-panel-waiting" role="timer">
      {texts.value.invite.waited(durationText(now - waitingSince(room, now)))}
    </p>
  );
}

function CopyLinkButton({ room }: { room: Room }) {
  const { table } = texts.value;
  const done = useSignal(false);
  const copy = async () => {
    done.value = await copyText(tableLink(room));
    if (done.value) setTimeout(() => (done.value = false), 2_000);
    else showToast(table.copyFailed);
  };
  return (
    <button class="small copy" onClick={() => void copy()}>
      <span aria-live="polite">{done.value ? table.copied : table.copyLink}</span>
    </button>
  );
}

/** Uses the share sheet of the device, if it has one. */
function ShareButton({ room }: { room: Room }) {
  if (!("share" in navigator)) return null;
  const { invite } = texts.value;
  const send = () =>
    navigator.share({ title: "Qipai", text: invite.shareText(gameName(room.game)), url: tableLink(room) }).catch(() => {
      // Cancelling is not an error.
    });
  return (
    <button class="small" onClick={() => void send()}>
      {invite.share}
    </button>
  );
}
