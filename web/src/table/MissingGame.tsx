/** Shown instead of a board that the page does not have, or not yet. */

import { retryGame } from "../games/outsideGames";
import { missingStatus } from "../games/outsideGameRequests";
import { texts } from "../i18n/language";

export function MissingGame({ game }: { game: string }) {
  const { table, replay } = texts.value;
  const status = missingStatus(game);
  if (status === "unknown") return <p class="message-page">{table.unknownGame}</p>;
  if (status === "loading") return <p class="message-page soft message-loading">{table.gameLoading}</p>;
  return (
    <div class="message-page">
      <p role="alert">{table.gameFailed}</p>
      <div class="buttons">
        <button onClick={() => retryGame(game)}>{replay.retry}</button>
      </div>
    </div>
  );
}
