/** Says what happens on the board to those who do not see it. */

import { consequence } from "../absence";
import type { GameParts, Scene } from "../games/game";
import type { Seen } from "../store";
import { yourTurn } from "../turn";
import type { GameName, Seat } from "../wire";
import { says } from "./status";

interface SpokenProps {
  seen: Seen;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

export function Spoken({ seen, scene, parts }: SpokenProps) {
  const told = (seen.last?.events ?? [])
    .map((event) => (event.e === "away" ? gone(seen, event.seat) : parts?.announce(event, scene)))
    .filter(Boolean);
  // What the reader does by himself is said alone: where he looks, where he aims.
  const own = scene.back || scene.draft ? parts?.status(scene) : null;
  if (own) told.splice(0, Infinity, own.text);
  else if (yourTurn(seen) || seen.room.phase !== "playing") told.push(says(seen.room, seen.you));
  return (
    <p class="hidden" aria-live="polite">
      {told.join(" ")}
    </p>
  );
}

/** What comes of somebody's absence, as of its beginning: said once, not every second. */
function gone({ room, you }: Seen, seat: Seat): string | null {
  const since = room.chairs[seat]?.lost;
  return seat === you || !since || room.phase !== "playing" ? null : consequence(room, seat, since);
}
