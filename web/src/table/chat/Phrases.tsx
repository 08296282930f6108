/** Buttons for chat phrases, shown to each reader in their language. */

import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../i18n/language";
import type { Room } from "../../net/roomReducer";
import { sayPhrase } from "../../net/commands";
import { isConnected, state } from "../../net/session";

export function Phrases({ room, onDone }: { room: Room; onDone: () => void }) {
  const { chatActions, phrases } = texts.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  const offered = state.value.games.find(({ name }) => name === room.game)?.phrases ?? [];
  return (
    <div
      class="phrases"
      ref={list}
      role="group"
      aria-label={chatActions.phrases}
      onKeyDown={(event) => event.key === "Escape" && onDone()}
    >
      {offered
        .filter((phrase) => phrase in phrases)
        .map((phrase) => (
          <button
            key={phrase}
            class="phrase"
            disabled={!isConnected.value}
            onClick={() => {
              sayPhrase(room.id, phrase);
              onDone();
            }}
          >
            {phrases[phrase]}
          </button>
        ))}
    </div>
  );
}
