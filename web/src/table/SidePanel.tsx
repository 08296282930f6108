/** Tabs beside the board: moves, chat, table information. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { GameParts, Scene } from "../games/gameInterface";
import { texts } from "../i18n/language";
import { isWideWindow } from "../common/windowSize";
import type { TableState } from "../net/store";
import type { GameName } from "../net/protocol";
import { TableInfo } from "./TableInfo";
import { Chat } from "./chat/Chat";
import { ZenButton } from "./inPlay/ZenButton";
import { SpectatorIcon } from "../common/SpectatorIcon";

type Tab = "moves" | "chat" | "about";

interface SidePanelProps {
  seen: TableState;
  scene: Scene<GameName>;
  parts: GameParts<GameName> | undefined;
}

export function SidePanel({ seen, scene, parts }: SidePanelProps) {
  const { room } = seen;
  const waiting = room.phase === "waiting";
  const chosen = useSignal<Tab | null>(null);
  // In a wide window the moves are always visible.
  const own = isWideWindow.value && parts?.MoveList !== undefined;
  const tabs: readonly Tab[] = parts?.MoveList && !own ? ["moves", "chat", "about"] : ["chat", "about"];
  const usual = waiting ? "about" : tabs[0]!;
  const open = chosen.value !== null && tabs.includes(chosen.value) ? chosen.value : usual;
  useEffect(() => void (chosen.value = null), [waiting]);
  const unread = useUnread(seen, open === "chat");
  const show = (tab: Tab) => {
    chosen.value = tab;
    // In a small window the panel may be below the fold.
    requestAnimationFrame(() => document.getElementById(`side-${tab}`)?.scrollIntoView({ block: "nearest" }));
  };
  const bar = (
    <div class="tab-bar">
      <Tabs tabs={tabs} open={open} unread={unread} spectators={room.spectators} onOpen={show} />
      {room.phase === "playing" && <ZenButton class="quiet header-icon" />}
    </div>
  );
  return (
    <aside class="side">
      {!own && bar}
      {parts?.MoveList && (
        <div class="side-moves" id="side-moves" key="moves" hidden={!own && open !== "moves"}>
          <parts.MoveList scene={scene} />
        </div>
      )}
      {own && bar}
      <div class="side-panel" id="side-chat" role="tabpanel" aria-labelledby="tab-chat" hidden={open !== "chat"}>
        <Chat seen={seen} shown={open === "chat"} />
      </div>
      <div class="side-panel side-about" id="side-about" role="tabpanel" aria-labelledby="tab-about" tabIndex={0} hidden={open !== "about"}>
        <TableInfo seen={seen} parts={parts} />
      </div>
    </aside>
  );
}

interface TabsProps {
  tabs: readonly Tab[];
  open: Tab;
  unread: number;
  spectators: number;
  onOpen: (tab: Tab) => void;
}

function Tabs({ tabs, open, unread, spectators, onOpen }: TabsProps) {
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
    <div class="tabs" role="tablist" aria-label={texts.value.sidePanel.tabs} ref={list} onKeyDown={step}>
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
          {texts.value.sidePanel[tab]}
          {tab === "chat" && unread > 0 && (
            <span class="unread">
              <span class="hidden">, {texts.value.sidePanel.unread(unread)}</span>
              <span aria-hidden="true">{unread}</span>
            </span>
          )}
          {tab === "about" && spectators > 0 && (
            <span class="tab-spectators" title={texts.value.tableInfo.spectators(spectators)}>
              <span class="hidden">, {texts.value.tableInfo.spectators(spectators)}</span>
              <SpectatorIcon /> <span aria-hidden="true">{spectators}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** Return the number of chat lines since the chat was last visible. */
export function useUnread({ room }: TableState, shown: boolean): number {
  const latest = room.chat.at(-1)?.at ?? 0;
  const read = useSignal(latest);
  useEffect(() => {
    if (shown) read.value = latest;
  }, [shown, latest]);
  return shown ? 0 : room.chat.filter((line) => line.at > read.value).length;
}
