/** How to bring somebody to this table. */

import { useSignal } from "@preact/signals";
import { copied } from "../copy";
import { gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import type { Room } from "../room";
import { isLocal, shareLink } from "../route";
import { time } from "../session";
import { toast } from "../toasts";
import { waitsSince, waitText } from "../waits";
import { Qr } from "./qr";
import { useTicking } from "./ticking";
import "../style/share.css";

export function Share({ room }: { room: Room }) {
  const { table } = words.value;
  return (
    <div class="share">
      <span class="soft">
        {table.code} <strong class="code">{room.code}</strong>
      </span>
      <CopyLink room={room} />
    </div>
  );
}

/** Everything that leads here: a link, a picture of it, and a code that can be told by voice. */
export function Invite({ room }: { room: Room }) {
  const { table } = words.value;
  const { invite } = text.value;
  const link = shareLink(room.id);
  return (
    <section class="summons" aria-label={invite.title}>
      <div class="summons-body">
        <figure class="summons-qr">
          <Qr text={link} label={invite.picture} />
          <figcaption class="soft">{isLocal() ? invite.local : invite.scan}</figcaption>
        </figure>
        <div class="summons-ways">
          <label class="summons-link">
            <span>{table.invite}</span>
            <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
          <div class="buttons">
            <CopyLink room={room} />
            <Send room={room} />
          </div>
          <div class="summons-told">
            <p class="soft">
              {invite.short} <strong class="summons-code">{room.code}</strong>
            </p>
            <Waited room={room} />
          </div>
          {isLocal() && <p class="soft summons-local">{invite.elsewhere}</p>}
        </div>
      </div>
    </section>
  );
}

/** How long we have been waiting. */
function Waited({ room }: { room: Room }) {
  useTicking(true, 1_000);
  const now = time.now();
  return (
    <p class="soft summons-waited" role="timer">
      {text.value.invite.waited(waitText(now - waitsSince(room, now)))}
    </p>
  );
}

function CopyLink({ room }: { room: Room }) {
  const { table } = words.value;
  const done = useSignal(false);
  const copy = async () => {
    done.value = await copied(shareLink(room.id));
    if (done.value) setTimeout(() => (done.value = false), 2_000);
    else toast(table.copyFailed);
  };
  return (
    <button class="small copy" onClick={() => void copy()}>
      <span aria-live="polite">{done.value ? table.copied : table.copyLink}</span>
    </button>
  );
}

/** The device's own way of sending something, where it has one. */
function Send({ room }: { room: Room }) {
  if (!("share" in navigator)) return null;
  const { invite } = text.value;
  const send = () =>
    navigator.share({ title: "Qipai", text: invite.shareText(gameName(room.game)), url: shareLink(room.id) }).catch(() => {
      // Whoever changes his mind has not failed.
    });
  return (
    <button class="small" onClick={() => void send()}>
      {invite.share}
    </button>
  );
}
