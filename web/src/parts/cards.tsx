/** The games of the house: what goes on with each, and one button to play it with somebody. */

import { GAMES } from "../games/boards";
import { gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import { awaited, isUp, quickMatch, state } from "../session";
import { bustle } from "../slots";
import type { GameCard, GameName } from "../wire";
import { chooseGame, chosenGame, playable } from "./picker";

export function Cards() {
  return (
    <fieldset class="cards">
      <legend class="hidden">{words.value.lobby.game}</legend>
      {playable().map((card) => (
        <Card key={card.name} card={card} chosen={card === chosenGame()} />
      ))}
    </fieldset>
  );
}

function Card({ card, chosen }: { card: GameCard; chosen: boolean }) {
  const game = card.name as GameName;
  const { Motif } = GAMES[game];
  const asked = awaited.value?.type === "match" && awaited.value.game === game;
  return (
    <div class={chosen ? "card card-chosen" : "card"}>
      <label class="card-face">
        <input
          type="radio"
          name="playing"
          value={game}
          checked={chosen}
          aria-label={gameName(game)}
          aria-describedby={`bustle-${game}`}
          onChange={() => chooseGame(game)}
        />
        <Motif />
        <span class="card-name">{gameName(game)}</span>
        <Going game={game} />
      </label>
      <button
        class={chosen ? "primary card-quick" : "card-quick"}
        aria-label={text.value.card.quickOf(gameName(game))}
        disabled={awaited.value !== null || !isUp.value}
        onClick={() => {
          chooseGame(game);
          quickMatch(game);
        }}
      >
        {asked ? "…" : words.value.lobby.quick}
      </button>
    </div>
  );
}

/** Who would be met here; a place of the same height with or without anybody. */
function Going({ game }: { game: GameName }) {
  const { card } = text.value;
  const { waiting, special, playing } = bustle(state.value.lobby?.values() ?? [], game, state.value.mine);
  return (
    <span class="card-going" id={`bustle-${game}`}>
      {waiting > 0 && <strong>{card.waiting(waiting)}</strong>}
      {waiting === 0 && special > 0 && <span>{card.special(special)}</span>}
      {playing > 0 && <span>{card.playing(playing)}</span>}
      {waiting + special + playing === 0 && <span>{card.nobody}</span>}
    </span>
  );
}
