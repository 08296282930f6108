/** One line of chat, and what can be done about whoever said it. */

import { useSignal } from "@preact/signals";
import { withEmoji } from "../emoji";
import { words } from "../i18n";
import { text } from "../i18n/room";
import { mute, speaker } from "../muted";
import type { Room } from "../room";
import { isUp, report, state } from "../session";
import type { Line, Seat } from "../wire";

interface SaidProps {
  line: Line;
  room: Room;
  you: Seat | null;
}

export function Said({ line, room, you }: SaidProps) {
  const { chat } = words.value;
  const { talk, said } = text.value;
  const open = useSignal(false);
  const seat = line.seat ?? null;
  const mine = seat === null ? you === null && line.name === state.value.name : seat === you;
  return (
    <li class={`chat-line ${mine ? "chat-mine" : ""}`} data-home="">
      {mine ? (
        <bdi class="chat-name">{line.name}</bdi>
      ) : (
        <button
          class="chat-name"
          aria-expanded={open.value}
          title={talk.about(line.name)}
          onClick={() => (open.value = !open.value)}
        >
          <bdi>{line.name}</bdi>
        </button>
      )}
      {seat === null && " "}
      {seat === null && (
        <small class="tag" title={line.aside ? chat.aside : undefined}>
          {chat.watcher}
        </small>
      )}
      {": "}
      <bdi class="chat-text">{line.phrase ? (said[line.phrase] ?? line.text) : withEmoji(line.text)}</bdi>
      {open.value && (
        <span class="chat-deeds">
          <button class="chat-deed" onClick={() => mute(room.id, speaker(line))}>
            {talk.mute(line.name)}
          </button>
          <button
            class="chat-deed"
            disabled={!isUp.value}
            onClick={() => {
              open.value = false;
              report(room.id, line);
            }}
          >
            {talk.report}
          </button>
        </span>
      )}
    </li>
  );
}
