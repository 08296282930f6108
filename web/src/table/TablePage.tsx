/** The table page: board, players, status line, actions, side panel. */

import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ActionBar } from "./actions/ActionBar";
import { PlayerStrip } from "./PlayerStrip";
import { InvitePanel } from "./InvitePanel";
import { LowTimeWarning, ZenStyles } from "./inPlay/lazy";
import { hasResult, isResultOpen } from "./result/openResult";
import { OpenResultButton, ResultActions } from "./result/ResultActions";
import { SidePanel } from "./SidePanel";
import { SideRail } from "./rail/SideRail";
import { watchedRooms } from "./invitation/watchedRooms";
import { MissingGame } from "./MissingGame";
import { LiveRegion } from "./LiveRegion";
import { StatusLine } from "./StatusLine";
import { partsOf } from "../games/gameRegistry";
import type { MoveCursor, Scene } from "../games/gameInterface";
import { gameName, texts } from "../i18n/language";
import { lazyComponents } from "../common/lazyComponent";
import { isWideWindow } from "../common/windowSize";
import { clockText, shortClockText } from "../lobby/tableSummary";
import { zenMode } from "../settings/boardSettings";
import { play } from "../net/commands";
import { pendingCommands, state } from "../net/session";
import type { TableState } from "../net/store";
import { nameAt, seatsTopDown, isWaitingForPlayers } from "./turn";
import type { AnyMove, AnyPosition, GameName, RoomId } from "../net/protocol";

const invitation = lazyComponents(() => import("./invitation/lazyParts"));
const Invitation = invitation(({ Invitation }) => Invitation, null);
const ClosedTable = invitation(({ ClosedTable }) => ClosedTable, null);
const EndPanel = lazyComponents(() => import("./result/EndPanel"))(({ EndPanel }) => EndPanel, null);

export function TablePage({ room: id }: { room: RoomId }) {
  const seen = state.value.tables[id];
  const refusal = state.value.closed[id];
  // It stays when the last seat is taken or the table is closed, and says so. With a delay, an open seat may be taken by now.
  const invited = useRef(false);
  if (seen?.room.phase === "waiting" && seen.room.seats.includes(null) && !seen.room.table.spectator_delay) invited.current ||= seen.you === null;
  if (seen?.you === null && invited.current && !watchedRooms.value.includes(id)) return <Invitation seen={seen} />;
  if (seen) return <Table seen={seen} />;
  if (refusal) return <ClosedTable room={id} refusal={refusal} />;
  return <p class="message-page soft message-loading">{texts.value.table.opening}</p>;
}

const BOARD = '.board [tabindex="0"]';
/** Where the keyboard focus goes when a pressed button disappears. */
const FOCUS_HOMES: Record<string, string> = {
  playing: `.mj-next|.status button|${BOARD}`,
  over: `.mj-next|.result-open|.action .primary|.end-panel button|.status button|${BOARD}`,
};

/** View state that stays in this page: the shown move and an unconfirmed move. */
interface LocalView {
  match: number;
  cursor: MoveCursor | null;
  draft: AnyMove | null;
  /** The position for which the draft was made. */
  position: AnyPosition | null;
}

/** Return the scene for a game's components. */
function useScene(seen: TableState): Scene<GameName> {
  const { room, you } = seen;
  const idle: LocalView = { match: room.match, cursor: null, draft: null, position: room.position };
  const localView = useSignal(idle);
  const own = localView.value.match === room.match ? localView.value : idle;
  const command = pendingCommands.list.value.findLast((one) => one.type === "play" && one.room === room.id);
  const pending = command?.type === "play" ? command.move : null;
  return {
    room,
    position: room.position,
    you,
    pending,
    mayMove: you !== null && pending === null && room.phase === "playing" && room.to_act.includes(you) && !seen.replaced,
    play: (move) => {
      localView.value = idle;
      play(room.id, move);
    },
    // A draft is not kept when the position changes, for example by a takeback.
    draft: own.position === room.position ? own.draft : null,
    setDraft: (draft) => (localView.value = { ...own, draft, position: room.position }),
    cursor: own.cursor,
    setCursor: (cursor) => (localView.value = { ...own, cursor, draft: null }),
    live: true,
    rules: null,
    texts: texts.value,
    nameAt: (seat) => nameAt(room, seat),
  };
}

function Table({ seen }: { seen: TableState }) {
  const { room, you } = seen;
  const parts = partsOf(room.game);
  const scene = useScene(seen);
  const seats = seatsTopDown(room, parts?.bottomSeat?.(scene) ?? you);
  const { table } = texts.value;
  const lacksPlayers = room.phase === "over" && room.players.includes(null);
  useEffect(() => {
    if (lacksPlayers) void import("./result/pastPlayers").then(({ addPastPlayers }) => addPastPlayers(room));
  }, [lacksPlayers, room.match]);
  const onBoard = parts?.statusOnBoard === true;
  const tags = [...(parts?.tags?.(room.options, texts.value, true) ?? []), ...(onBoard && room.table.clock ? [clockText(room.table.clock, texts.value)] : [])];
  const resultOpen = !onBoard && isResultOpen(seen);
  const status = (
    <StatusLine seen={seen} scene={scene} parts={parts}>
      {!onBoard && !resultOpen && hasResult(seen) && <OpenResultButton seen={seen} />}
    </StatusLine>
  );
  const playing = room.phase === "playing";
  const zen = zenMode.value && playing;
  const classes = ["table-page table-live", parts?.playersOnBoard && "table-around", onBoard && "table-railed", room.phase === "waiting" && "table-waiting", zen && "table-zen"];
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <div class="table-head">
        <h1>
          {gameName(room.game)}
          {room.table.rated && <span class="tag tag-rated">{texts.value.rated.name}</span>}
          {room.table.clock && !onBoard && <span class="table-round">{shortClockText(room.table.clock, texts.value)}</span>}
          {room.position && parts && <span class="table-round">{parts.heading(room.position, texts.value)}</span>}
          {room.table.title && (
            <bdi class="table-title" title={room.table.title}>
              {room.table.title}
            </bdi>
          )}
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
      <section class="arena" aria-label={table.title(gameName(room.game), room.code)} data-home={FOCUS_HOMES[room.phase] ?? BOARD}>
        {!parts?.playersOnBoard &&
          seats.slice(0, -1).map((seat) => <PlayerStrip key={seat} seen={seen} seat={seat} parts={parts} />)}
        {parts ? (
          <parts.Board scene={scene} {...(onBoard && { status, ending: <ResultActions seen={seen} /> })} />
        ) : (
          <MissingGame game={room.game} />
        )}
        {resultOpen && <EndPanel key={room.match} seen={seen} scene={scene} parts={parts} />}
        {parts?.Panel && <parts.Panel scene={scene} />}
        {!onBoard && status}
        {!parts?.playersOnBoard && <PlayerStrip seen={seen} seat={seats.at(-1) ?? 0} parts={parts} below />}
        {!onBoard && <ActionBar seen={seen} />}
        {isWaitingForPlayers(seen) && !isWideWindow.value && <InvitePanel room={room} withComputer={onBoard} />}
      </section>
      {onBoard ? <SideRail seen={seen} parts={parts} /> : <SidePanel seen={seen} scene={scene} parts={parts} />}
      <LiveRegion seen={seen} scene={scene} parts={parts} />
      {playing && room.clock && <LowTimeWarning seen={seen} />}
      {zen && <ZenStyles />}
    </div>
  );
}
