/** One chat line, with mute and report. */

import { useSignal } from "@preact/signals";
import { replaceShortcuts } from "./emojiShortcuts";
import { texts } from "../../i18n/language";
import { toggleMute, authorKey } from "./mutedPlayers";
import type { Room } from "../../net/roomReducer";
import { report } from "../../net/commands";
import { isConnected, state } from "../../net/session";
import type { ChatLineView, Seat } from "../../net/protocol";

interface ChatLineProps {
  line: ChatLineView;
  room: Room;
  you: Seat | null;
}

export function ChatLine({ line, room, you }: ChatLineProps) {
  const { chat } = texts.value;
  const { chatActions, phrases } = texts.value;
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
          title={chatActions.about(line.name)}
          onClick={() => (open.value = !open.value)}
        >
          <bdi>{line.name}</bdi>
        </button>
      )}
      {seat === null && " "}
      {seat === null && (
        <small class="tag" title={line.spectators_only ? chat.spectatorsOnly : undefined}>
          {chat.spectator}
        </small>
      )}
      {": "}
      <bdi class="chat-text">{line.phrase ? (phrases[line.phrase] ?? line.text) : replaceShortcuts(line.text)}</bdi>
      {open.value && (
        <span class="chat-actions">
          <button class="chat-action" onClick={() => toggleMute(room.id, authorKey(line))}>
            {chatActions.mute(line.name)}
          </button>
          <button
            class="chat-action"
            disabled={!isConnected.value}
            onClick={() => {
              open.value = false;
              report(room.id, line);
            }}
          >
            {chatActions.report}
          </button>
        </span>
      )}
    </li>
  );
}
