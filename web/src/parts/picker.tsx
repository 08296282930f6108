/** Which game: a row of pictures to choose from. */

import { effect, signal } from "@preact/signals";
import { GAMES } from "../games/boards";
import { gameName, words } from "../i18n";
import { state } from "../session";
import type { GameCard, GameName } from "../wire";

const KEY = "qipai.game";
const CARDS = "qipai.games";

const chosen = signal(localStorage.getItem(KEY));

/** Return the games that both the server and this page play; before it has said so, those that it had last time. */
export function playable(): readonly GameCard[] {
  const { games } = state.value;
  return (games.length ? games : early()).filter((card) => card.name in GAMES);
}

/** Everything has its place before the server has said a word. */
function early(): readonly GameCard[] {
  const usual = Object.keys(GAMES).map((name) => ({ name, seats: 2, bots: [], phrases: [] }));
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(CARDS) ?? "");
    return Array.isArray(kept) ? (kept as GameCard[]) : usual;
  } catch {
    return usual;
  }
}

effect(() => {
  if (state.value.games.length) localStorage.setItem(CARDS, JSON.stringify(state.value.games));
});

/** Return the game chosen last, or the first there is. */
export function chosenGame(): GameCard | undefined {
  const cards = playable();
  return cards.find((card) => card.name === chosen.value) ?? cards[0];
}

/** Choose a game, today and next time. */
export function chooseGame(game: string): void {
  chosen.value = game;
  localStorage.setItem(KEY, game);
}

/** Radio buttons: the arrows go through them, as everywhere. */
export function Picker({ name }: { name: string }) {
  const game = chosenGame()?.name;
  return (
    <fieldset class="picker">
      <legend class="hidden">{words.value.lobby.game}</legend>
      {playable().map((card) => {
        const { Emblem } = GAMES[card.name as GameName];
        return (
          <label class="pick" key={card.name}>
            <input
              type="radio"
              name={name}
              value={card.name}
              checked={card.name === game}
              onChange={() => chooseGame(card.name)}
            />
            <Emblem />
            <span>{gameName(card.name)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
