/** A list without tables: it says how to make the first. */

import { gameName } from "../i18n";
import { text } from "../i18n/lobby";
import { GAMES } from "../games/boards";
import { awaited, isUp } from "../session";
import { playComputer, playFriend } from "../starts";
import type { GameName } from "../wire";
import { chosenGame, playable } from "./picker";

/** `game`: the one that is looked for, if any. */
export function Nothing({ game }: { game: string }) {
  const { empty } = text.value;
  const card = playable().find(({ name }) => name === game) ?? chosenGame();
  const busy = awaited.value !== null || !isUp.value;
  if (card === undefined) return null;
  const { Emblem } = GAMES[card.name as GameName];
  return (
    <div class="empty">
      <Emblem />
      <p class="empty-title">{game ? empty.titleOf(gameName(game)) : empty.title}</p>
      <p class="soft">{empty.hint}</p>
      <div class="buttons">
        {card.bots.length > 0 && (
          <button disabled={busy} onClick={() => playComputer(card)}>
            {empty.computer(gameName(card.name))}
          </button>
        )}
        <button disabled={busy} onClick={() => playFriend(card)}>
          {empty.friend}
        </button>
      </div>
    </div>
  );
}
