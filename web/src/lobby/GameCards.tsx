/** One card per game with a quick match button. */

import { partsOf } from "../games/gameRegistry";
import { missingStatus } from "../games/outsideGameRequests";
import { gameName, texts } from "../i18n/language";
import { quickMatch } from "../net/commands";
import { awaitedIntent, isConnected, state } from "../net/session";
import { activityOf } from "./stableOrder";
import type { GameDescription } from "../net/protocol";
import { chooseGame, chosenGame, playableGames } from "./GamePicker";

export function GameCards() {
  return (
    <fieldset class="cards">
      <legend class="hidden">{texts.value.lobby.game}</legend>
      {playableGames().map((card) => (
        <GameCardView key={card.name} card={card} chosen={card === chosenGame()} />
      ))}
    </fieldset>
  );
}

function GameCardView({ card, chosen }: { card: GameDescription; chosen: boolean }) {
  const game = card.name;
  const LobbyPicture = partsOf(game)?.LobbyPicture ?? NoPicture;
  const requested = awaitedIntent.value?.type === "quick_match" && awaitedIntent.value.game === game;
  return (
    <div class={chosen ? "card card-chosen" : "card"}>
      <label class="card-face">
        <input
          type="radio"
          name="playing"
          value={game}
          checked={chosen}
          aria-label={gameName(game)}
          aria-describedby={`activity-${game}`}
          onChange={() => chooseGame(game)}
        />
        <LobbyPicture />
        <span class="card-name">{gameName(game)}</span>
        <Activity game={game} />
      </label>
      <button
        class={chosen ? "primary card-quick" : "card-quick"}
        aria-label={texts.value.gameCard.quickOf(gameName(game))}
        disabled={awaitedIntent.value !== null || !isConnected.value || missingStatus(game) !== null}
        onClick={() => {
          chooseGame(game);
          quickMatch(game);
        }}
      >
        {requested ? "…" : texts.value.lobby.quick}
      </button>
    </div>
  );
}

/** Keeps the space of a picture. */
function NoPicture() {
  return <svg class="lobby-picture" viewBox="0 0 240 96" aria-hidden="true" />;
}

/** Number of waiting and running tables; it has the same height when there are none. */
function Activity({ game }: { game: string }) {
  const { gameCard, table } = texts.value;
  const { waiting, special, playing } = activityOf(state.value.lobby?.values() ?? [], game, state.value.myRooms);
  const missing = missingStatus(game);
  if (missing) {
    return (
      <span class="card-activity" id={`activity-${game}`}>
        <span>{missing === "failed" ? gameCard.failed : table.gameLoading}</span>
      </span>
    );
  }
  return (
    <span class="card-activity" id={`activity-${game}`}>
      {waiting > 0 && <strong>{gameCard.waiting(waiting)}</strong>}
      {waiting === 0 && special > 0 && <span>{gameCard.otherTables(special)}</span>}
      {playing > 0 && <span>{gameCard.playing(playing)}</span>}
      {waiting + special + playing === 0 && <span>{gameCard.noTables}</span>}
    </span>
  );
}
