/** Offers a game with the computer to a player who waits for an opponent. */

import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { awaitedIntent, isConnected } from "../../net/session";
import { playableGames } from "../chosenGame";
import { lastBotLevel, playComputer } from "../quickStart";

/** `short`: the hint is shown with the pointer only. */
export function WhileWaiting({ room, short = false }: { room: Room; short?: boolean }) {
  const { whileWaiting } = texts.value;
  const card = playableGames().find(({ name }) => name === room.game);
  if (!card || card.bots.length === 0) return null;
  return (
    <div class="while-waiting">
      <button title={short ? whileWaiting.hint : undefined} disabled={awaitedIntent.value !== null || !isConnected.value} onClick={() => playComputer(card, lastBotLevel(card), room.options)}>
        {whileWaiting.offer}
      </button>
      {!short && <small class="soft">{whileWaiting.hint}</small>}
    </div>
  );
}
