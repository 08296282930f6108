/** The games that are not chosen, each a card that chooses it. */

import { partsOf } from "../../games/gameRegistry";
import { missingStatus } from "../../games/outsideGameRequests";
import { gameName, texts } from "../../i18n/language";
import { state } from "../../net/session";
import { chooseGame, chosenGame, playableGames } from "../chosenGame";
import { activityOf } from "../stableOrder";

export function OtherGames() {
  const chosen = chosenGame()?.name;
  const choose = (game: string) => {
    chooseGame(game);
    // The card shows another game now: the focus goes where the chosen one is.
    requestAnimationFrame(() => document.getElementById("hero-title")?.focus({ preventScroll: true }));
  };
  return (
    <div class="other-games" role="group" aria-label={texts.value.lobby.game}>
      {playableGames()
        .filter(({ name }) => name !== chosen)
        .map(({ name }) => {
          const Picture = partsOf(name)?.LobbyPicture ?? NoPicture;
          return (
            <button class="other-game" key={name} onClick={() => choose(name)}>
              <span class="other-game-picture">
                <Picture />
              </span>
              <span class="other-game-name">{gameName(name)}</span>
              <Activity game={name} />
            </button>
          );
        })}
    </div>
  );
}

/** Keeps the space of a picture. */
export function NoPicture() {
  return <svg class="lobby-picture" viewBox="0 0 240 96" aria-hidden="true" />;
}

/** Number of waiting and running tables; it has the same height when there are none. */
function Activity({ game }: { game: string }) {
  const { gameCard, table } = texts.value;
  const { waiting, special, playing } = activityOf(state.value.lobby?.values() ?? [], game, state.value.myRooms);
  const missing = missingStatus(game);
  const [text, isWaiting] = missing
    ? [missing === "failed" ? gameCard.failed : table.gameLoading, false]
    : waiting + special > 0
      ? [gameCard.waiting(waiting + special), true]
      : [playing > 0 ? gameCard.playing(playing) : gameCard.noTables, false];
  return (
    <small class={isWaiting ? "other-game-activity other-game-waiting" : "other-game-activity"}>
      {text}
    </small>
  );
}
