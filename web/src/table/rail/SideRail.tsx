/** Narrow bar beside a board that fills the page: chat, table information, leave. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { isWideWindow } from "../../common/windowSize";
import type { GameParts } from "../../games/gameInterface";
import { texts } from "../../i18n/language";
import { href } from "../../app/route";
import { leave, resign } from "../../net/commands";
import { isConnected } from "../../net/session";
import type { TableState } from "../../net/store";
import type { GameName } from "../../net/protocol";
import { LeaveButton } from "../actions/ActionBar";
import { confirming } from "../actions/confirmation";
import { Chat } from "../chat/Chat";
import { ZenButton } from "../inPlay/ZenButton";
import { useUnread } from "../SidePanel";
import { SettingsButton } from "../../settings/SettingsButton";
import { TableInfo } from "../TableInfo";
import { isWaitingForPlayers } from "../turn";
import "./rail.css";

type Panel = "chat" | "about";
const ICONS: Readonly<Record<Panel, ComponentChildren>> = {
  chat: <path d="M4 5h16v11H10l-4 4v-4H4zM8 9h8M8 12h5" />,
  about: <path d="M6 3h12v18H6zM9 8h6M9 12h6M9 16h3" />,
};

interface SideRailProps {
  seen: TableState;
  parts: GameParts<GameName> | undefined;
}

export function SideRail({ seen, parts }: SideRailProps) {
  const { room } = seen;
  // While players are awaited, the invitation is open; on phones it is below the board.
  const invites = isWaitingForPlayers(seen) && isWideWindow.value;
  const open = useSignal<Panel | null>(null);
  const box = useRef<HTMLElement>(null);
  useEffect(() => void (open.value = invites ? "about" : null), [invites]);
  useEffect(() => () => void (confirming.value = null), [room.id, room.match, room.phase]);
  const unread = useUnread(seen, open.value === "chat");
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || open.value === null) return;
    box.current?.querySelector<HTMLElement>(`[aria-controls="side-${open.value}"]`)?.focus();
    open.value = null;
  };
  const button = (panel: Panel, count: number) => (
    <button
      class="rail-button"
      aria-expanded={open.value === panel}
      aria-controls={`side-${panel}`}
      onClick={() => (open.value = open.value === panel ? null : panel)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {ICONS[panel]}
      </svg>
      <span>{texts.value.sidePanel[panel]}</span>
      {count > 0 && (
        <span class="unread">
          <span class="hidden">, {texts.value.sidePanel.unread(count)}</span>
          <span aria-hidden="true">{count}</span>
        </span>
      )}
    </button>
  );
  return (
    <aside class="rail" ref={box} onKeyDown={close}>
      {button("chat", unread)}
      {button("about", 0)}
      <SettingsButton class="rail-button rail-settings" />
      {room.phase === "playing" && <ZenButton class="rail-button" named />}
      <RailActions seen={seen} />
      <div class="rail-panel" id="side-chat" hidden={open.value !== "chat"}>
        <Chat seen={seen} shown={open.value === "chat"} />
      </div>
      <div class="rail-panel side-about" id="side-about" role="region" aria-label={texts.value.sidePanel.about} tabIndex={0} hidden={open.value !== "about"}>
        <TableInfo seen={seen} parts={parts} />
      </div>
    </aside>
  );
}

/** A door with an arrow out of it. */
function LeaveIcon() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M13 4H5v16h8M10 12h10M16.5 8l4 4-4 4" />
    </svg>
  );
}

function RailActions({ seen }: { seen: TableState }) {
  const { room, you, replaced } = seen;
  if (replaced) {
    // Another tab uses the seat: leaving here must not give it up.
    return (
      <div class="rail-actions">
        <a class="button" href={href({ at: "lobby" })}>
          {texts.value.toLobby}
        </a>
      </div>
    );
  }
  if (you === null) {
    return (
      <div class="rail-actions">
        <button disabled={!isConnected.value} onClick={() => leave(room.id)}>
          <LeaveIcon />
          <span class="leave-text">{texts.value.table.leave}</span>
        </button>
      </div>
    );
  }
  return (
    <div class="rail-actions">
      {room.phase === "playing" && !room.table.substitute_bot && <LeaveButton key="resign" seen={seen} what="resign" onYes={() => resign(room.id)} />}
      <LeaveButton key="leave" seen={seen} what="leave" icon={<LeaveIcon />} onYes={() => leave(room.id)} />
    </div>
  );
}
