/** What the table list shows when it is empty: an open seat, and a link for a friend. */

import { gameName, texts } from "../i18n/language";
import { Avatar } from "../common/Avatar";
import { missingStatus } from "../games/outsideGameRequests";
import { awaitedIntent, isConnected, state } from "../net/session";
import { playAnyone, playFriend } from "./quickStart";
import { chosenGame, playableGames } from "./chosenGame";

/** `game`: the game of the filter, if any. */
export function EmptyTableList({ game }: { game: string }) {
  const { emptyList, bringFriend } = texts.value;
  const card = playableGames().find(({ name }) => name === game) ?? chosenGame();
  if (card === undefined) return null;
  const busy = awaitedIntent.value !== null || !isConnected.value || missingStatus(card.name) !== null;
  return (
    <div class="empty-list">
      <div class="empty">
        <span class="row-avatars empty-seats">
          <Avatar name={state.value.name} />
          <span class="empty-seat" />
        </span>
        <div class="empty-text">
          <p class="empty-title">{game ? emptyList.titleOf(gameName(game)) : emptyList.title}</p>
          <p class="soft">{emptyList.hint}</p>
        </div>
        <button class="row-sit" disabled={busy} onClick={() => playAnyone(card)}>
          {emptyList.open}
        </button>
      </div>
      <div class="empty empty-friend">
        <div class="empty-text">
          <p class="empty-title">{bringFriend.title}</p>
          <p class="soft">{bringFriend.hint}</p>
        </div>
        <button disabled={busy} onClick={() => playFriend(card)}>
          {bringFriend.open}
        </button>
      </div>
    </div>
  );
}
