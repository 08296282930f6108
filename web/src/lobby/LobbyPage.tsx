/** The lobby: games, ways to play, your tables, the table list. */

import { texts } from "../i18n/language";
import { GameCards } from "./GameCards";
import { chosenGame } from "./GamePicker";
import { TableList } from "./TableList";
import { PlayButtons } from "./PlayButtons";
import { YourTables } from "./YourTables";
import { href } from "../app/route";
import { isConnected, state } from "../net/session";

export function LobbyPage() {
  const { lobby, connection, tagline } = texts.value;
  const card = chosenGame();
  return (
    <div class="lobby">
      <div class="lobby-head">
        <h1>{tagline}</h1>
        <p class="soft lobby-links">
          <span class={isConnected.value ? "online" : ""}>{isConnected.value ? lobby.online(state.value.online) : connection.connecting}</span>
          <a href={href({ at: "replay" })}>{texts.value.finishedGames.title}</a>
        </p>
      </div>
      <GameCards />
      {card && <PlayButtons card={card} />}
      <TableList />
      <YourTables />
    </div>
  );
}
