/** The chat of a table. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { replaceShortcuts } from "./emojiShortcuts";
import { texts } from "../../i18n/language";
import { isHidden, toggleMute, mutedPlayers, nameOf } from "./mutedPlayers";
import { say } from "../../net/commands";
import { isConnected, pendingCommands, refusedChatText } from "../../net/session";
import type { TableState } from "../../net/store";
import { CHAT_LINE, type Say } from "../../net/protocol";
import { Phrases } from "./Phrases";
import { ChatLine } from "./ChatLine";

export function Chat({ seen: { room, you }, shown }: { seen: TableState; shown: boolean }) {
  const { chat } = texts.value;
  const { chatActions } = texts.value;
  const list = useRef<HTMLDivElement>(null);
  const choosing = useSignal(false);
  const silent = mutedPlayers.value[room.id] ?? [];
  const lines = room.chat.filter((line) => !isHidden(line, room.id));
  const unsent = pendingCommands.list.value.filter((one) => one.type === "say" && one.room === room.id) as readonly Say[];
  const last = room.chat.at(-1);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last, unsent.length, shown, choosing.value]);
  return (
    <section class="chat" aria-label={chat.title} data-home=".chat-phrases">
      {choosing.value ? (
        <Phrases room={room} onDone={() => (choosing.value = false)} />
      ) : (
        <div class="chat-lines" ref={list} role="log" tabIndex={0} aria-label={chat.title}>
          <ol>
            {lines.length + unsent.length === 0 && <li class="soft">{room.phrases_only ? chatActions.closed : chat.empty}</li>}
            {lines.map((line, index) => (
              <ChatLine key={`${line.at}-${index}`} line={line} room={room} you={you} />
            ))}
            {unsent.map((one) => (
              <li key={one.nonce} class="chat-line chat-unsent">
                {one.phrase ? texts.value.phrases[one.phrase] : replaceShortcuts(one.text ?? "")}
              </li>
            ))}
            {silent.map((who) => (
              <li key={who} class="chat-line soft">
                {chatActions.muted(nameOf(who))}{" "}
                <button class="chat-action" onClick={() => toggleMute(room.id, who)}>
                  {chatActions.unmute}
                </button>
              </li>
            ))}
          </ol>
        </div>
      )}
      <ChatInput
        room={room.id}
        closed={room.phrases_only}
        choosing={choosing.value}
        onPhrases={() => (choosing.value = !choosing.value)}
      />
    </section>
  );
}

interface ChatInputProps {
  room: string;
  /** The host allows phrases only. */
  closed: boolean;
  choosing: boolean;
  onPhrases: () => void;
}

function ChatInput({ room, closed, choosing, onPhrases }: ChatInputProps) {
  const { chat } = texts.value;
  const { chatActions } = texts.value;
  const draft = useSignal("");
  const refused = refusedChatText.value;
  useEffect(() => {
    if (refused?.room !== room) return;
    draft.value ||= refused.text;
    refusedChatText.value = null;
  }, [refused]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = draft.value.trim();
    if (typed && !closed) say(room, typed);
    draft.value = "";
  };
  const label = choosing ? chatActions.back : chatActions.phrases;
  return (
    <form class="joined chat-form" onSubmit={send}>
      <button type="button" class="chat-phrases" aria-pressed={choosing} aria-label={label} title={label} onClick={onPhrases}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 3.5h12v8H7.5L4.5 14v-2.5H2zM5 6.5h6M5 8.7h4" />
        </svg>
      </button>
      <input
        aria-label={chat.label}
        placeholder={closed ? chatActions.closed : chat.label}
        value={draft.value}
        disabled={closed}
        maxLength={CHAT_LINE}
        autocomplete="off"
        onInput={(event) => (draft.value = event.currentTarget.value)}
      />
      <button disabled={!isConnected.value || closed || !draft.value.trim()}>{chat.send}</button>
    </form>
  );
}
