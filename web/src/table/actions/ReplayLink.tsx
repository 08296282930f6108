/** Link from a finished table to its replay. */

import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { isBegun } from "../turn";
import { href } from "../../app/route";

export function ReplayLink({ room }: { room: Room }) {
  if (room.phase !== "over" || !isBegun(room)) return null;
  return (
    <a class="button replay-link" href={href({ at: "game", room: room.id, match: room.match })}>
      {texts.value.replay.replayLink}
    </a>
  );
}
