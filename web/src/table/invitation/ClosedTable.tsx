/** Says why a table cannot be shown. */

import { href } from "../../app/route";
import { texts } from "../../i18n/language";
import { joinTable } from "../../net/commands";
import type { RoomId } from "../../net/protocol";
import { isConnected } from "../../net/session";

export function ClosedTable({ room, text, mayKnock }: { room: RoomId; text: string; mayKnock: boolean }) {
  const title = previewTitle(room);
  return (
    <div class="message-page">
      {mayKnock && title && <h1>{title}</h1>}
      <p>{text}</p>
      <div class="buttons">
        {mayKnock && (
          <button class="primary" disabled={!isConnected.value} onClick={() => joinTable(room)}>
            {texts.value.table.sitHere}
          </button>
        )}
        <a class="button" href={href({ at: "lobby" })}>
          {texts.value.toLobby}
        </a>
      </div>
    </div>
  );
}

/** Return the title of the preview if the page was opened with a link to this table: a door without a view has nothing else. */
function previewTitle(room: RoomId): string | undefined {
  const [title, url] = ["title", "url"].map((name) => document.querySelector<HTMLMetaElement>(`meta[property="og:${name}"]`)?.content);
  return url?.endsWith(`/t/${room}`) ? title : undefined;
}
