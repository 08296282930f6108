/** A table: a board, its players above and below or around it, and what can be said and done. */

import { useSignal } from "@preact/signals";
import { Deeds } from "../parts/deeds";
import { Heard } from "../parts/heard";
import { Player } from "../parts/player";
import { Invite } from "../parts/share";
import { Side } from "../parts/side";
import { Spoken } from "../parts/spoken";
import { StatusLine } from "../parts/status";
import { partsOf } from "../games/boards";
import type { LookBack, Scene } from "../games/game";
import { gameName, words } from "../i18n";
import { broad } from "../media";
import { href } from "../route";
import { isUp, outbox, play, sit, state } from "../session";
import type { Seen } from "../store";
import { nameAt, topDown, waitsFor } from "../turn";
import type { AnyMove, GameName, RoomId } from "../wire";

export function TablePage({ room: id }: { room: RoomId }) {
  const seen = state.value.tables[id];
  const refusal = state.value.closed[id];
  if (seen) return <Table seen={seen} />;
  if (refusal) return <Shut room={id} text={words.value.refusals[refusal]} mayKnock={refusal === "no_watchers"} />;
  return <p class="shut soft opening">{words.value.table.opening}</p>;
}

function Shut({ room, text, mayKnock }: { room: RoomId; text: string; mayKnock: boolean }) {
  return (
    <div class="shut">
      <p>{text}</p>
      <div class="buttons">
        {mayKnock && (
          <button class="primary" disabled={!isUp.value} onClick={() => sit(room)}>
            {words.value.table.sitHere}
          </button>
        )}
        <a class="button" href={href({ at: "lobby" })}>
          {words.value.toLobby}
        </a>
      </div>
    </div>
  );
}

const BOARD = '.board [tabindex="0"]';
/** Where whoever uses keys goes on when what he pressed is gone. */
const HOMES: Record<string, string> = {
  playing: `.mj-next|.status button|${BOARD}`,
  over: `.deed .primary|.status button|${BOARD}`,
};

/** What the reader does at the table before anybody else knows: a page he looks at, a move he aims. */
interface Private {
  match: number;
  back: LookBack | null;
  draft: AnyMove | null;
}

/** Return what a game may know about a table. */
function useScene(seen: Seen): Scene<GameName> {
  const { room, you } = seen;
  const idle: Private = { match: room.match, back: null, draft: null };
  const kept = useSignal(idle);
  const own = kept.value.match === room.match ? kept.value : idle;
  const command = outbox.list.value.findLast((one) => one.type === "play" && one.room === room.id);
  const pending = command?.type === "play" ? command.move : null;
  return {
    room,
    position: room.position,
    you,
    pending,
    mayMove: you !== null && pending === null && room.phase === "playing" && room.to_act.includes(you) && !seen.replaced,
    play: (move) => {
      kept.value = idle;
      play(room.id, move);
    },
    draft: own.draft,
    aim: (draft) => (kept.value = { ...own, draft }),
    back: own.back,
    look: (back) => (kept.value = { ...own, back, draft: null }),
    live: true,
    words: words.value,
    nameAt: (seat) => nameAt(room, seat),
  };
}

function Table({ seen }: { seen: Seen }) {
  const { room, you } = seen;
  const parts = partsOf(room.game);
  const scene = useScene(seen);
  const seats = topDown(room, parts?.below?.(scene) ?? you);
  const { table } = words.value;
  const tags = parts?.tags?.(room.options, words.value) ?? [];
  const classes = ["table-page table-live", parts?.around && "table-around", room.phase === "waiting" && "table-waiting"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <div class="table-head">
        <h1>
          {gameName(room.game)}
          {room.position && parts && <span class="table-round">{parts.heading(room.position, words.value)}</span>}
          {room.match > 1 && <span class="table-round">{table.match(room.match)}</span>}
        </h1>
        {tags.length > 0 && (
          <div class="tags">
            {tags.map((tag) => (
              <span class="tag" key={tag}>
                {tag}
              </span>
            ))}
          </div>
        )}
      </div>
      <section class="arena" aria-label={table.title(gameName(room.game), room.code)} data-home={HOMES[room.phase] ?? BOARD}>
        {!parts?.around &&
          seats.slice(0, -1).map((seat) => <Player key={seat} seen={seen} seat={seat} parts={parts} />)}
        {parts ? <parts.Board scene={scene} /> : <p class="shut">{table.unknownGame}</p>}
        {parts?.Panel && <parts.Panel scene={scene} />}
        <StatusLine seen={seen} scene={scene} parts={parts} />
        {!parts?.around && <Player seen={seen} seat={seats.at(-1) ?? 0} parts={parts} below />}
        <Deeds seen={seen} />
        {waitsFor(seen) && !broad.value && <Invite room={room} />}
      </section>
      <Side seen={seen} scene={scene} parts={parts} />
      <Spoken seen={seen} scene={scene} parts={parts} />
      <Heard seen={seen} parts={parts} />
    </div>
  );
}
