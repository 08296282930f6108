/** Link from a finished table to its replay. */

import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { isBegun } from "../turn";
import { href } from "../../app/route";
import { ActionIcon } from "./ActionIcon";

export function ReplayLink({ room }: { room: Room }) {
  if (room.phase !== "over" || !isBegun(room)) return null;
  return (
    <a class="button replay-link" href={href({ at: "game", room: room.id, match: room.match })}>
      <ActionIcon path="M4 3.5v4.5h4.5M4.3 8a6.5 6.5 0 1 1-.7 4" />
      {texts.value.replay.replayLink}
    </a>
  );
}
