/** The lobby: the games, ways to play, and who is playing. */

import { words } from "../i18n";
import { text as past } from "../i18n/past";
import { Cards } from "../parts/cards";
import { chosenGame } from "../parts/picker";
import { Tables } from "../parts/tables";
import { Ways } from "../parts/ways";
import { Yours } from "../parts/yours";
import { href } from "../route";
import { isUp, state } from "../session";

export function LobbyPage() {
  const { lobby, line, tagline } = words.value;
  const card = chosenGame();
  return (
    <div class="lobby">
      <div class="lobby-head">
        <h1>{tagline}</h1>
        <p class="soft lobby-aside">
          <span class={isUp.value ? "online" : ""}>{isUp.value ? lobby.online(state.value.online) : line.connecting}</span>
          <a href={href({ at: "replay" })}>{past.value.title}</a>
        </p>
      </div>
      <Cards />
      {card && <Ways card={card} />}
      <Tables />
      <Yours />
    </div>
  );
}
