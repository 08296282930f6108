/** What was said at the table. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { withEmoji } from "../emoji";
import { words } from "../i18n";
import type { Room } from "../room";
import { isUp, outbox, say } from "../session";
import { CHAT_LINE, type Line, type Seat } from "../wire";

export function Chat({ room, you }: { room: Room; you: Seat | null }) {
  const { chat } = words.value;
  const list = useRef<HTMLDivElement>(null);
  const draft = useSignal("");
  const unsent = outbox.list.value.filter((one) => one.type === "say" && one.room === room.id);
  const last = room.chat.at(-1);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last, unsent.length]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    const text = draft.value.trim();
    if (text) say(room.id, text);
    draft.value = "";
  };
  return (
    <section class="chat" aria-labelledby="chat-title">
      <h2 id="chat-title">{chat.title}</h2>
      <div class="chat-lines" ref={list} role="log" tabIndex={0} aria-labelledby="chat-title">
        <ol>
          {room.chat.length + unsent.length === 0 && <li class="soft">{chat.empty}</li>}
          {room.chat.map((line, index) => (
            <Said key={`${line.at}-${index}`} line={line} you={you} />
          ))}
          {unsent.map((one) => (
            <li key={one.nonce} class="chat-line chat-unsent">
              {one.type === "say" && withEmoji(one.text ?? "")}
            </li>
          ))}
        </ol>
      </div>
      <form class="joined" onSubmit={send}>
        <input
          aria-label={chat.label}
          placeholder={chat.label}
          value={draft.value}
          maxLength={CHAT_LINE}
          autocomplete="off"
          onInput={(event) => (draft.value = event.currentTarget.value)}
        />
        <button disabled={!isUp.value || !draft.value.trim()}>{chat.send}</button>
      </form>
    </section>
  );
}

function Said({ line, you }: { line: Line; you: Seat | null }) {
  const { chat } = words.value;
  const seat = line.seat ?? null;
  return (
    <li class={`chat-line ${seat !== null && seat === you ? "chat-mine" : ""}`}>
      <bdi class="chat-name">{line.name}</bdi>
      {seat === null && " "}
      {seat === null && (
        <small class="tag" title={line.aside ? chat.aside : undefined}>
          {chat.watcher}
        </small>
      )}
      {": "}
      <bdi class="chat-text">{withEmoji(line.text)}</bdi>
    </li>
  );
}
