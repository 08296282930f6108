/** Link, record file and board image of a finished game. */

import { useSignal } from "@preact/signals";
import { shareLink } from "../app/route";
import { copyText } from "../common/clipboard";
import { replayPath, viewpointOf } from "./replayApi";
import type { GameParts, Scene } from "../games/gameInterface";
import { texts } from "../i18n/language";
import { boardImage } from "./boardImage";
import { showToast } from "../app/toastState";
import type { GameName, Replay } from "../net/protocol";

interface ShareGameProps {
  replay: Replay;
  parts: GameParts<GameName>;
  scene: Scene<GameName>;
  step: number;
}

export function ShareGame({ replay, parts, scene, step }: ShareGameProps) {
  const text = texts.value.replay;
  const { notation, boardDrawing } = parts;
  const done = useSignal(false);
  const name = `${replay.game}-${replay.room}-${replay.match}`;
  const copy = async () => {
    done.value = await copyText(shareLink({ at: "game", room: replay.room, match: replay.match }));
    if (done.value) setTimeout(() => (done.value = false), 2_000);
    else showToast(text.copyFailed);
  };
  const picture = async () => {
    try {
      await saveOrShare(await boardImage(await boardDrawing(), scene, text.step(step, replay.frames.length - 1)), `${name}-${step}.png`);
    } catch (error) {
      // Closing the share sheet is not an error.
      if (!(error instanceof DOMException && error.name === "AbortError")) showToast(text.pictureFailed);
    }
  };
  return (
    <div class="share-game">
      <button class="small" onClick={() => void copy()}>
        <span aria-live="polite">{done.value ? text.copied : text.link}</span>
      </button>
      <button class="small" onClick={() => void picture()}>
        {text.picture}
      </button>
      {notation && (
        <a class="button small" href={`${replayPath(replay.room, replay.match)}/record`} download={`${name}.${notation}`}>
          {text.download(notation.toUpperCase())}
        </a>
      )}
      <a class="button small" href={replayPath(replay.room, replay.match, viewpointOf(replay))} download={`${name}.json`}>
        {text.json}
      </a>
    </div>
  );
}

/** Share an image on phones, or save it. */
async function saveOrShare(picture: Blob, name: string): Promise<void> {
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
