/** The live list of public tables. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { GAMES } from "../games/boards";
import { gameName, words } from "../i18n";
import { text } from "../i18n/lobby";
import { isUp, state } from "../session";
import { hold, settle, type Slot } from "../slots";
import type { GameName, LobbyRow, RoomId } from "../wire";
import { ByCode } from "./bycode";
import { Nothing } from "./nothing";
import { playable } from "./picker";
import { Row } from "./row";
import { useTicking } from "./ticking";

/** Milliseconds that a list stays as it is after it was touched. */
const HELD = 3_000;
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

/** While somebody points at the list, what is there stays where it is. */
function List({ rows, game }: ListProps) {
  const held = useSignal(false);
  const slots = useRef<readonly Slot[]>([]);
  const timer = useRef(0);
  useTicking(rows.size > 0, 15_000);
  slots.current = held.value ? hold(slots.current, rows) : settle(rows.values());
  const keep = (still: boolean) => {
    clearTimeout(timer.current);
    held.value = still;
  };
  const touched = (event: PointerEvent) => {
    keep(true);
    // A finger that has left the glass tells nothing more.
    if (event.pointerType !== "mouse") timer.current = window.setTimeout(() => (held.value = false), HELD);
  };
  if (slots.current.length === 0) return <Nothing game={game} />;
  return (
    <ul
      class="rows"
      onPointerEnter={touched}
      onPointerDown={touched}
      onPointerLeave={(event) => event.pointerType === "mouse" && keep(false)}
      onFocusCapture={() => keep(true)}
      onBlurCapture={() => keep(false)}
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
