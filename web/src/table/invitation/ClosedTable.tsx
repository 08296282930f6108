/** Says why a table cannot be shown. */

import { MessagePage } from "../../app/MessagePage";
import { href } from "../../app/route";
import { texts } from "../../i18n/language";
import { joinTable } from "../../net/commands";
import type { Refusal, RoomId } from "../../net/protocol";
import { isConnected } from "../../net/session";

export function ClosedTable({ room, refusal }: { room: RoomId; refusal: Refusal }) {
  const { notFound, playerName, refusals, table } = texts.value;
  const mayJoin = refusal === "no_spectators" || refusal === "sees_hidden";
  const isGone = refusal === "no_such_room" || refusal === "room_closed";
  const title = (mayJoin && previewTitle(room)) || (isGone ? notFound.table : notFound.noEntry);
  return (
    <MessagePage title={title} text={isGone ? notFound.tableText : refusals[refusal]}>
      {refusal === "account_needed" && (
        <a class="button primary" href={href({ at: "account" })}>
          {playerName.signIn}
        </a>
      )}
      {mayJoin && (
        <button class="primary" disabled={!isConnected.value} onClick={() => joinTable(room)}>
          {table.sitHere}
        </button>
      )}
    </MessagePage>
  );
}

/** Return the title of the preview if the page was opened with a link to this table: a door without a view has nothing else. */
function previewTitle(room: RoomId): string | undefined {
  const [title, url] = ["title", "url"].map((name) => document.querySelector<HTMLMetaElement>(`meta[property="og:${name}"]`)?.content);
  return url?.endsWith(`/t/${room}`) ? title : undefined;
}
