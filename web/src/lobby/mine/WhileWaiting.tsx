/** Offers a game with the computer to a player who waits for an opponent. */

import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { awaitedIntent, isConnected } from "../../net/session";
import { playableGames } from "../chosenGame";
import { lastBotLevel, playComputer } from "../quickStart";

/** `part`: the button, the hint below it, or both. */
export function WhileWaiting({ room, part = "both" }: { room: Room; part?: "button" | "hint" | "both" }) {
  const { whileWaiting } = texts.value;
  const card = playableGames().find(({ name }) => name === room.game);
  if (!card || card.bots.length === 0) return null;
  return (
    <div class="while-waiting">
      {part !== "hint" && (
        <button title={whileWaiting.hint} disabled={awaitedIntent.value !== null || !isConnected.value} onClick={() => playComputer(card, lastBotLevel(card), room.options)}>
          {whileWaiting.offer}
        </button>
      )}
      {part !== "button" && <small class="soft">{whileWaiting.hint}</small>}
    </div>
  );
}
