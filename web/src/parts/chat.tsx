/** What was said at the table. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { withEmoji } from "../emoji";
import { words } from "../i18n";
import { text } from "../i18n/room";
import { mute, muted, nameOf, speaker } from "../muted";
import { isUp, outbox, say, unsaid } from "../session";
import type { Seen } from "../store";
import { CHAT_LINE, type Speak } from "../wire";
import { Phrases } from "./phrases";
import { Said } from "./said";

export function Chat({ seen: { room, you }, shown }: { seen: Seen; shown: boolean }) {
  const { chat } = words.value;
  const { talk } = text.value;
  const list = useRef<HTMLDivElement>(null);
  const choosing = useSignal(false);
  const silent = muted.value[room.id] ?? [];
  const lines = room.chat.filter((line) => !silent.includes(speaker(line)));
  const unsent = outbox.list.value.filter((one) => one.type === "say" && one.room === room.id) as readonly Speak[];
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
            {lines.length + unsent.length === 0 && <li class="soft">{room.hushed ? talk.closed : chat.empty}</li>}
            {lines.map((line, index) => (
              <Said key={`${line.at}-${index}`} line={line} room={room} you={you} />
            ))}
            {unsent.map((one) => (
              <li key={one.nonce} class="chat-line chat-unsent">
                {one.phrase ? text.value.said[one.phrase] : withEmoji(one.text ?? "")}
              </li>
            ))}
            {silent.map((who) => (
              <li key={who} class="chat-line soft">
                {talk.muted(nameOf(who))}{" "}
                <button class="chat-deed" onClick={() => mute(room.id, who)}>
                  {talk.unmute}
                </button>
              </li>
            ))}
          </ol>
        </div>
      )}
      <Writer
        room={room.id}
        closed={room.hushed}
        choosing={choosing.value}
        onPhrases={() => (choosing.value = !choosing.value)}
      />
    </section>
  );
}

interface WriterProps {
  room: string;
  /** The host allows phrases only. */
  closed: boolean;
  choosing: boolean;
  onPhrases: () => void;
}

function Writer({ room, closed, choosing, onPhrases }: WriterProps) {
  const { chat } = words.value;
  const { talk } = text.value;
  const draft = useSignal("");
  const refused = unsaid.value;
  useEffect(() => {
    if (refused?.room !== room) return;
    draft.value ||= refused.text;
    unsaid.value = null;
  }, [refused]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = draft.value.trim();
    if (typed && !closed) say(room, typed);
    draft.value = "";
  };
  const label = choosing ? talk.back : talk.phrases;
  return (
    <form class="joined chat-form" onSubmit={send}>
      <button type="button" class="chat-phrases" aria-pressed={choosing} aria-label={label} title={label} onClick={onPhrases}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 3.5h12v8H7.5L4.5 14v-2.5H2zM5 6.5h6M5 8.7h4" />
        </svg>
      </button>
      <input
        aria-label={chat.label}
        placeholder={closed ? talk.closed : chat.label}
        value={draft.value}
        disabled={closed}
        maxLength={CHAT_LINE}
        autocomplete="off"
        onInput={(event) => (draft.value = event.currentTarget.value)}
      />
      <button disabled={!isUp.value || closed || !draft.value.trim()}>{chat.send}</button>
    </form>
  );
}
