/** What can be said without typing, and is read by everybody in his own language. */

import { useEffect, useRef } from "preact/hooks";
import { text } from "../i18n/room";
import type { Room } from "../room";
import { isUp, sayPhrase, state } from "../session";

export function Phrases({ room, onDone }: { room: Room; onDone: () => void }) {
  const { talk, said } = text.value;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector("button")?.focus({ preventScroll: true }), []);
  const phrases = state.value.games.find(({ name }) => name === room.game)?.phrases ?? [];
  return (
    <div
      class="phrases"
      ref={list}
      role="group"
      aria-label={talk.phrases}
      onKeyDown={(event) => event.key === "Escape" && onDone()}
    >
      {phrases
        .filter((phrase) => phrase in said)
        .map((phrase) => (
          <button
            key={phrase}
            class="phrase"
            disabled={!isUp.value}
            onClick={() => {
              sayPhrase(room.id, phrase);
              onDone();
            }}
          >
            {said[phrase]}
          </button>
        ))}
    </div>
  );
}
