/** The head of the lobby: greeting, number of people, table code. */

import { texts } from "../i18n/language";
import { isConnected, NAME_KEY, state } from "../net/session";
import { JoinByCode } from "./JoinByCode";

export function Greeting() {
  const { greeting, lobby, connection, tagline } = texts.value;
  const { online } = state.value;
  // Known before the server has answered, so that nothing moves.
  const chosen = localStorage.getItem(NAME_KEY);
  const name = state.value.name || (chosen ?? "");
  const known = chosen !== null;
  return (
    <div class="greeting">
      <div class="greeting-text">
        <h1>{known ? greeting.hello(new Date().getHours(), name) : tagline}</h1>
        {!known && (
          <p class="soft">
            {name ? (
              <>
                {greeting.youAre[0]}
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                {greeting.youAre[1]} <button class="link" onClick={() => document.querySelector<HTMLElement>("button.name")?.click()}>{greeting.chooseName}</button>
              </>
            ) : (
              "\u00a0"
            )}
          </p>
        )}
      </div>
      <p class={isConnected.value ? "soft online" : "soft"}>{isConnected.value ? lobby.online(online) : connection.connecting}</p>
      <JoinByCode />
    </div>
  );
}
