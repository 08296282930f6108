/** What the table list shows when it is empty. */

import { gameName, texts } from "../i18n/language";
import { GameIcon } from "../common/GameIcon";
import { missingStatus } from "../games/outsideGameRequests";
import { awaitedIntent, isConnected } from "../net/session";
import { playComputer, playFriend } from "./quickStart";
import { chosenGame, playableGames } from "./GamePicker";

/** `game`: the game of the filter, if any. */
export function EmptyTableList({ game }: { game: string }) {
  const { emptyList } = texts.value;
  const card = playableGames().find(({ name }) => name === game) ?? chosenGame();
  if (card === undefined) return null;
  const busy = awaitedIntent.value !== null || !isConnected.value || missingStatus(card.name) !== null;
  return (
    <div class="empty">
      <GameIcon game={card.name} />
      <p class="empty-title">{game ? emptyList.titleOf(gameName(game)) : emptyList.title}</p>
      <p class="soft">{emptyList.hint}</p>
      <div class="buttons">
        {card.bots.length > 0 && (
          <button disabled={busy} onClick={() => playComputer(card)}>
            {emptyList.computer(gameName(card.name))}
          </button>
        )}
        <button disabled={busy} onClick={() => playFriend(card)}>
          {emptyList.friend}
        </button>
      </div>
    </div>
  );
}
