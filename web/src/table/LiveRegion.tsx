/** Announces events of the table to screen readers (ARIA live region). */

import { absenceText } from "./absentPlayers";
import type { GameParts, Scene } from "../games/gameInterface";
import type { TableState } from "../net/store";
import { isYourTurn } from "./turn";
import type { GameName, Seat } from "../net/protocol";
import { gameStatus, statusText } from "./StatusLine";

interface LiveRegionProps {
  seen: TableState;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

export function LiveRegion({ seen, scene, parts }: LiveRegionProps) {
  const announcements = (seen.last?.events ?? [])
    .map((event) => (event.e === "disconnected" ? absenceAnnouncement(seen, event.seat) : parts?.announce(event, scene)))
    .filter(Boolean);
  // The user's own navigation is announced alone.
  const own = scene.cursor || scene.draft ? gameStatus(scene, parts) : null;
  if (own) announcements.splice(0, Infinity, own.text);
  else if (isYourTurn(seen) || seen.room.phase !== "playing") announcements.push(statusText(seen.room, seen.you));
  return (
    <p class="hidden" aria-live="polite">
      {announcements.join(" ")}
    </p>
  );
}

/** Return the announcement of a disconnect; it is made once, not every second. */
function absenceAnnouncement({ room, you }: TableState, seat: Seat): string | null {
  const since = room.seats[seat]?.disconnected_at;
  return seat === you || !since || room.phase !== "playing" ? null : absenceText(room, seat, since);
}
