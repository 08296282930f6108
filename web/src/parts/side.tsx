/** What stands beside the board: moves, chat, and the table itself; where there is little room, one at a time. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GameParts, Scene } from "../games/game";
import { text } from "../i18n/room";
import { broad } from "../media";
import type { Seen } from "../store";
import type { GameName } from "../wire";
import { About } from "./about";
import { Chat } from "./chat";
import { Eye } from "./eye";

type Tab = "moves" | "chat" | "about";

interface SideProps {
  seen: Seen;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

export function Side({ seen, scene, parts }: SideProps) {
  const { room } = seen;
  const waiting = room.phase === "waiting";
  const chosen = useSignal<Tab | null>(null);
  // Where all is in view, the moves have a place of their own.
  const own = broad.value && parts?.Moves !== undefined;
  const tabs: readonly Tab[] = parts?.Moves && !own ? ["moves", "chat", "about"] : ["chat", "about"];
  const usual = waiting ? "about" : tabs[0]!;
  const open = chosen.value !== null && tabs.includes(chosen.value) ? chosen.value : usual;
  useEffect(() => void (chosen.value = null), [waiting]);
  const unread = useUnread(seen, open === "chat");
  const show = (tab: Tab) => {
    chosen.value = tab;
    // Where the window is small, what was asked for may lie below it.
    requestAnimationFrame(() => document.getElementById(`side-${tab}`)?.scrollIntoView({ block: "nearest" }));
  };
  const bar = <Tabs tabs={tabs} open={open} unread={unread} watching={room.watching} onOpen={show} />;
  return (
    <aside class="side">
      {!own && bar}
      {parts?.Moves && (
        <div class="side-moves" id="side-moves" key="moves" hidden={!own && open !== "moves"}>
          <parts.Moves scene={scene} />
        </div>
      )}
      {own && bar}
      <div class="side-panel" id="side-chat" role="tabpanel" aria-labelledby="tab-chat" hidden={open !== "chat"}>
        <Chat seen={seen} shown={open === "chat"} />
      </div>
      <div class="side-panel side-about" id="side-about" role="tabpanel" aria-labelledby="tab-about" tabIndex={0} hidden={open !== "about"}>
        <About seen={seen} parts={parts} />
      </div>
    </aside>
  );
}

interface TabsProps {
  tabs: readonly Tab[];
  open: Tab;
  unread: number;
  watching: number;
  onOpen: (tab: Tab) => void;
}

function Tabs({ tabs, open, unread, watching, onOpen }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.shiftKey) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(open) + by + tabs.length) % tabs.length]!;
    onOpen(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={text.value.tabs} ref={list} onKeyDown={step}>
      {tabs.map((tab) => (
        <button
          key={tab}
          id={`tab-${tab}`}
          class="tab"
          role="tab"
          aria-selected={tab === open}
          aria-controls={`side-${tab}`}
          tabIndex={tab === open ? 0 : -1}
          onClick={() => onOpen(tab)}
        >
          {text.value[tab]}
          {tab === "chat" && unread > 0 && (
            <span class="unread">
              <span class="hidden">, {text.value.unread(unread)}</span>
              <span aria-hidden="true">{unread}</span>
            </span>
          )}
          {tab === "about" && watching > 0 && (
            <span class="looking" title={text.value.rules.watching(watching)}>
              <span class="hidden">, {text.value.rules.watching(watching)}</span>
              <Eye /> <span aria-hidden="true">{watching}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Return how many lines came since the chat was last in view. */
function useUnread({ room }: Seen, shown: boolean): number {
  const latest = room.chat.at(-1)?.at ?? 0;
  const read = useSignal(latest);
  useEffect(() => {
    if (shown) read.value = latest;
  }, [shown, latest]);
  return shown ? 0 : room.chat.filter((line) => line.at > read.value).length;
}
