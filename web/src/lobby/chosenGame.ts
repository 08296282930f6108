/** The games of the server, and the one chosen last. */

import { effect, signal } from "@preact/signals";
import { OWN_GAMES } from "../games/gameRegistry";
import { state } from "../net/session";
import type { GameDescription } from "../net/protocol";

const KEY = "qipai.game";
const GAMES_KEY = "qipai.games";

const chosenName = signal(localStorage.getItem(KEY));

/** Return the games of the server that this page has or can load; before the server has answered, those of the last visit. */
export function playableGames(): readonly GameDescription[] {
  const { games } = state.value;
  const place = ({ name }: GameDescription) => (OWN_GAMES.includes(name) ? OWN_GAMES.indexOf(name) : OWN_GAMES.length);
  return (games.length ? games : cachedGames())
    .filter(({ name, module }) => OWN_GAMES.includes(name) || module)
    .sort((one, other) => place(one) - place(other));
}

/** Keeps the layout stable until the server has answered. */
function cachedGames(): readonly GameDescription[] {
  const usual = OWN_GAMES.map((name) => ({ name, seats: 2, bots: [], phrases: [] }));
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(GAMES_KEY) ?? "");
    return Array.isArray(stored) ? (stored as GameDescription[]) : usual;
  } catch {
    return usual;
  }
}

effect(() => {
  if (state.value.games.length) localStorage.setItem(GAMES_KEY, JSON.stringify(state.value.games));
});

/** Return the game chosen last, or the first one. */
export function chosenGame(): GameDescription | undefined {
  const cards = playableGames();
  return cards.find((card) => card.name === chosenName.value) ?? cards[0];
}

/** Choose a game and remember it. */
export function chooseGame(game: string): void {
  chosenName.value = game;
  localStorage.setItem(KEY, game);
}
