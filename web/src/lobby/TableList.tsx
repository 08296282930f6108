/** The live list of public tables. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { GameIcon } from "../common/GameIcon";
import { gameName, texts } from "../i18n/language";
import { awaitedIntent, isConnected, state } from "../net/session";
import { keepOrder, sortedSlots, type Slot } from "./stableOrder";
import type { LobbyRow, RoomId } from "../net/protocol";
import { useUserActivity } from "../common/useUserActivity";
import { CreateTableDialog } from "../dialogs/lazyDialogs";
import { EmptyTableList } from "./EmptyTableList";
import { playableGames } from "./chosenGame";
import { TableRow } from "./TableRow";
import { useInterval } from "../common/useInterval";

/** Milliseconds without user activity after which the list is sorted again. */
const IDLE_AFTER = 4_000;
/** No filter. */
const ALL_GAMES = "";

export function TableList() {
  const { lobby } = texts.value;
  const shown = useSignal(ALL_GAMES);
  const creating = useSignal(false);
  const all = state.value.lobby;
  const rows = new Map([...(all ?? [])].filter(([, row]) => shown.value === ALL_GAMES || row.game === shown.value));
  return (
    <section class="tables" aria-labelledby="tables-title">
      <div class="tables-head">
        <h2 id="tables-title">{lobby.tables}</h2>
        <Filter shown={shown.value} rows={all} onShow={(game) => (shown.value = game)} />
        <button class="link tables-create" disabled={awaitedIntent.value !== null || !isConnected.value} onClick={() => (creating.value = true)}>
          {lobby.create}
        </button>
      </div>
      {creating.value && <CreateTableDialog onClose={() => (creating.value = false)} />}
      {all === null || !isConnected.value && rows.size === 0 ? (
        <p class="soft tables-wait">{lobby.loading}</p>
      ) : (
        <Rows key={shown.value} rows={rows} game={shown.value} />
      )}
    </section>
  );
}

interface ListProps {
  rows: ReadonlyMap<RoomId, LobbyRow>;
  game: string;
}

/** Rows keep their order while the user is about to press one. */
function Rows({ rows, game }: ListProps) {
  const pointed = useSignal(false);
  const busy = useUserActivity(IDLE_AFTER);
  const slots = useRef<readonly Slot[]>([]);
  useInterval(rows.size > 0, 15_000);
  slots.current = busy || pointed.value ? keepOrder(slots.current, rows) : sortedSlots(rows.values());
  if (slots.current.length === 0) return <EmptyTableList game={game} />;
  return (
    <ul
      class="rows"
      onPointerEnter={(event) => (pointed.value = event.pointerType === "mouse")}
      onPointerLeave={() => (pointed.value = false)}
      onFocusCapture={() => (pointed.value = true)}
      onBlurCapture={() => (pointed.value = false)}
    >
      {slots.current.map(({ row, removed }, index) => (
        <TableRow key={row.id} row={row} removed={removed} index={index} />
      ))}
    </ul>
  );
}

interface FilterProps {
  shown: string;
  rows: ReadonlyMap<RoomId, LobbyRow> | null;
  onShow: (game: string) => void;
}

function Filter({ shown, rows, onShow }: FilterProps) {
  const { tableList } = texts.value;
  const count = (game: string) => [...(rows?.values() ?? [])].filter((row) => game === ALL_GAMES || row.game === game).length;
  return (
    <fieldset class="chips">
      <legend class="hidden">{tableList.filter}</legend>
      {[ALL_GAMES, ...playableGames().map((card) => card.name)].map((game) => {
        const name = game === ALL_GAMES ? tableList.all : gameName(game);
        return (
          <label class="chip" key={game} title={name}>
            <input type="radio" name="shown" aria-label={name} checked={shown === game} onChange={() => onShow(game)} />
            {game === ALL_GAMES ? <span>{name}</span> : <GameIcon game={game} />}
            <span class="chip-count">{count(game) || ""}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
