/** The way from a finished table to its replay. */

import { words } from "../i18n";
import type { Room } from "../room";
import { href } from "../route";

export function ReplayLink({ room }: { room: Room }) {
  if (room.phase !== "over") return null;
  return (
    <a class="button replay-link" href={href({ at: "game", room: room.id, match: room.match })}>
      {words.value.replay.again}
    </a>
  );
}
