/** The live list of public tables. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { GAMES } from "../games/boards";
import { gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import { isUp, state } from "../session";
import { hold, settle, type Slot } from "../slots";
import type { GameName, LobbyRow, RoomId } from "../wire";
import { useBusy } from "./busy";
import { ByCode } from "./bycode";
import { Nothing } from "./nothing";
import { playable } from "./picker";
import { Row } from "./row";
import { useTicking } from "./ticking";

/** Milliseconds without any sign of life after which the list is put in order. */
const CALM = 4_000;
/** Everything, whatever is played. */
const ALL = "";

export function Tables() {
  const { lobby } = words.value;
  const shown = useSignal(ALL);
  const all = state.value.lobby;
  const rows = new Map([...(all ?? [])].filter(([, row]) => shown.value === ALL || row.game === shown.value));
  return (
    <section class="tables" aria-labelledby="tables-title">
      <div class="tables-head">
        <h2 id="tables-title">{lobby.tables}</h2>
        <Filter shown={shown.value} rows={all} onShow={(game) => (shown.value = game)} />
        <ByCode />
      </div>
      {all === null || !isUp.value && rows.size === 0 ? (
        <p class="soft tables-wait">{lobby.loading}</p>
      ) : (
        <List key={shown.value} rows={rows} game={shown.value} />
      )}
    </section>
  );
}

interface ListProps {
  rows: ReadonlyMap<RoomId, LobbyRow>;
  game: string;
}

/** While somebody is about to press something, what is there stays where it is. */
function List({ rows, game }: ListProps) {
  const pointed = useSignal(false);
  const busy = useBusy(CALM);
  const slots = useRef<readonly Slot[]>([]);
  useTicking(rows.size > 0, 15_000);
  slots.current = busy || pointed.value ? hold(slots.current, rows) : settle(rows.values());
  if (slots.current.length === 0) return <Nothing game={game} />;
  return (
    <ul
      class="rows"
      onPointerEnter={(event) => (pointed.value = event.pointerType === "mouse")}
      onPointerLeave={() => (pointed.value = false)}
      onFocusCapture={() => (pointed.value = true)}
      onBlurCapture={() => (pointed.value = false)}
    >
      {slots.current.map(({ row, gone }, place) => (
        <Row key={row.id} row={row} gone={gone} place={place} />
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
  const { list } = text.value;
  const count = (game: string) => [...(rows?.values() ?? [])].filter((row) => game === ALL || row.game === game).length;
  return (
    <fieldset class="chips">
      <legend class="hidden">{list.filter}</legend>
      {[ALL, ...playable().map((card) => card.name)].map((game) => {
        const Emblem = game === ALL ? null : GAMES[game as GameName].Emblem;
        const name = game === ALL ? list.all : gameName(game);
        return (
          <label class="chip" key={game} title={name}>
            <input type="radio" name="shown" aria-label={name} checked={shown === game} onChange={() => onShow(game)} />
            {Emblem ? <Emblem /> : <span>{name}</span>}
            <span class="chip-count">{count(game)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
