/** How to bring somebody to this table. */

import { useSignal } from "@preact/signals";
import { words } from "../i18n";
import type { Room } from "../room";
import { shareLink } from "../route";
import { toast } from "../toasts";

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

export function Invite({ room }: { room: Room }) {
  return (
    <label class="invite">
      <span>{words.value.table.invite}</span>
      <input readOnly value={shareLink(room.id)} onFocus={(event) => event.currentTarget.select()} />
    </label>
  );
}

function CopyLink({ room }: { room: Room }) {
  const { table } = words.value;
  const copied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shareLink(room.id));
      copied.value = true;
      setTimeout(() => (copied.value = false), 2_000);
    } catch {
      // Only pages on https and localhost may use the clipboard.
      toast(table.copyFailed);
    }
  };
  return (
    <button class="small" onClick={() => void copy()}>
      <span aria-live="polite">{copied.value ? table.copied : table.copyLink}</span>
    </button>
  );
}
