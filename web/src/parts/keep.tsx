/** What can be taken away from a finished game: its link, its record, a picture of the board. */

import { useSignal } from "@preact/signals";
import { copied } from "../copy";
import { accountPath, toldTo, type Account } from "../finished";
import { GAMES } from "../games/boards";
import type { Scene } from "../games/game";
import { words } from "../i18n";
import { pictureOf } from "../picture";
import { toast } from "../toasts";
import type { GameName } from "../wire";

interface KeepProps {
  account: Account;
  scene: Scene<GameName>;
  step: number;
}

export function Keep({ account, scene, step }: KeepProps) {
  const { replay } = words.value;
  const { written, drawing } = GAMES[account.game];
  const done = useSignal(false);
  const name = `${account.game}-${account.room}-${account.match}`;
  const copy = async () => {
    done.value = await copied(location.href);
    if (done.value) setTimeout(() => (done.value = false), 2_000);
    else toast(replay.copyFailed);
  };
  const picture = async () => {
    try {
      await give(await pictureOf(await drawing(), scene, replay.step(step, account.frames.length - 1)), `${name}-${step}.png`);
    } catch (error) {
      // Whoever closes the sheet for sharing has not met a failure.
      if (!(error instanceof DOMException && error.name === "AbortError")) toast(replay.pictureFailed);
    }
  };
  return (
    <div class="keep">
      <button class="small" onClick={() => void copy()}>
        <span aria-live="polite">{done.value ? replay.copied : replay.link}</span>
      </button>
      <button class="small" onClick={() => void picture()}>
        {replay.picture}
      </button>
      {written && (
        <a class="button small" href={`${accountPath(account.room, account.match)}/record`} download={`${name}.${written}`}>
          {replay[written]}
        </a>
      )}
      <a class="button small" href={accountPath(account.room, account.match, toldTo(account))} download={`${name}.json`}>
        {replay.json}
      </a>
    </div>
  );
}

/** Hand a picture to the phone's own sheet for sharing, or save it. */
async function give(picture: Blob, name: string): Promise<void> {
  const file = new File([picture], name, { type: picture.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] });
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
