/** Button that downloads all games of the user. */

import { useSignal } from "@preact/signals";
import type { ProfileTexts } from "../i18n/types/profile";
import { fetchDownload } from "./profileApi";

const FILE_NAME = "qipai-games.zip";

export function DownloadGames({ text }: { text: ProfileTexts }) {
  const state = useSignal<"ready" | "running" | "failed">("ready");
  const running = state.value === "running";
  const load = async () => {
    state.value = "running";
    const file = await fetchDownload(fetch);
    state.value = file ? "ready" : "failed";
    if (file) save(file);
  };
  return (
    <div class="download-games">
      <button disabled={running} onClick={() => void load()}>
        {text.download}
      </button>
      <span class="soft" role="status">
        {running ? text.downloading : state.value === "failed" ? text.downloadFailed : text.downloadNote}
      </span>
    </div>
  );
}

function save(file: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = FILE_NAME;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
