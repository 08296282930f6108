/** The portrait of a player with a dot while the player is online, and where the player is, in words. */

import { Avatar } from "../common/Avatar";
import { gameName } from "../i18n/language";
import type { RelationTexts } from "../i18n/types/relations";
import type { OnlineStatus } from "./relationsApi";
import "./styles/online.css";

/** The dot shows nothing that the words beside it do not say. */
export function OnlineAvatar({ name, status }: { name: string; status: OnlineStatus }) {
  return <Avatar name={name}>{status.online && <i class={status.table?.does === "plays" ? "online-dot online-busy" : "online-dot"} />}</Avatar>;
}

export function statusText({ online, table }: OnlineStatus, text: RelationTexts): string {
  if (!online) return text.status.offline;
  return table ? text.status[table.does](gameName(table.game)) : text.status.online;
}
