/** What can be done after a game: rematch, new opponent, replay, share, show the result. */

import { useSignal } from "@preact/signals";
import { shareLink } from "../../app/route";
import { showToast } from "../../app/toastState";
import { copyText } from "../../common/clipboard";
import { gameName, texts } from "../../i18n/language";
import { leave, quickMatch } from "../../net/commands";
import { isConnected } from "../../net/session";
import type { Room } from "../../net/roomReducer";
import type { TableState } from "../../net/store";
import { ActionIcon } from "../actions/ActionIcon";
import { ReplayLink } from "../actions/ReplayLink";
import { OfferPrompt } from "../actions/ActionBar";
import { isBegun } from "../turn";
import { openResult } from "./openResult";

export function ResultActions({ seen }: { seen: TableState }) {
  const { room, you, replaced } = seen;
  if (room.phase !== "over") return null;
  const plays = you !== null && !replaced;
  const next = () => {
    leave(room.id);
    if (room.table.rated) quickMatch(room.game, room.options, room.table.clock, true);
    else quickMatch(room.game);
  };
  return (
    <>
      {plays && !room.seats.includes(null) && <OfferPrompt seen={seen} kind="rematch" />}
      {plays && (
        <button disabled={!isConnected.value} onClick={next}>
          {texts.value.gameEnd.newOpponent(room.seats.length - 1)}
        </button>
      )}
      <ReplayLink room={room} />
      {isBegun(room) && <ShareResultButton room={room} />}
    </>
  );
}

/** Opens the panel with the result again. */
export function OpenResultButton({ seen: { room } }: { seen: TableState }) {
  return (
    <button class="result-open" onClick={() => openResult(room, true)}>
      {texts.value.gameEnd.showResult}
    </button>
  );
}

/** Shares the replay with the share sheet of the device, or copies its link. */
function ShareResultButton({ room }: { room: Room }) {
  const { replay, gameEnd } = texts.value;
  const done = useSignal(false);
  const share = async () => {
    const url = shareLink({ at: "game", room: room.id, match: room.match });
    if ("share" in navigator) {
      // Cancelling is not an error.
      await navigator.share({ title: `Qipai · ${gameName(room.game)}`, url }).catch(() => undefined);
      return;
    }
    done.value = await copyText(url);
    if (done.value) setTimeout(() => (done.value = false), 2_000);
    else showToast(replay.copyFailed);
  };
  return (
    <button onClick={() => void share()}>
      <ActionIcon path="M5 9H3.5v8h13V9H15M10 12V2.5M6.5 5.5l3.5-3.5 3.5 3.5" />
      <span aria-live="polite">{done.value ? replay.copied : gameEnd.share}</span>
    </button>
  );
}
