/** The live list of public tables. */

import { partsOf } from "../games/boards";
import { words } from "../i18n";
import { listing } from "../listing";
import { go, href } from "../route";
import { isUp, state } from "../session";
import type { LobbyRow } from "../wire";

export function Tables() {
  const { lobby } = words.value;
  const rows = state.value.lobby;
  return (
    <section class="tables" aria-labelledby="tables-title">
      <h2 id="tables-title">{lobby.tables}</h2>
      {rows === null ? (
        <p class="soft">{lobby.loading}</p>
      ) : rows.size === 0 ? (
        <p class="empty">{lobby.empty}</p>
      ) : (
        <ul class="rows">
          {[...rows.values()].sort(waitingFirst).map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
    </section>
  );
}

function waitingFirst(one: LobbyRow, other: LobbyRow): number {
  return Number(other.phase === "waiting") - Number(one.phase === "waiting");
}

function Row({ row }: { row: LobbyRow }) {
  const { lobby, table } = words.value;
  const parts = partsOf(row.game);
  const { game, name, code, players, status, watchers, clock, tags } = listing(row, words.value, parts?.tags);
  return (
    <li class="row">
      <span class="row-emblem">{parts && <parts.Emblem />}</span>
      <div class="row-names">
        {players.map((player, seat) => (
          <span key={seat} class={player.free ? "row-free" : "row-name"}>
            {player.name}
          </span>
        ))}
      </div>
      <div class="row-facts soft">
        <span>{game}</span>
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {name !== game && <bdi>{name}</bdi>}
        <span class={`phase phase-${row.phase}`}>{status}</span>
        <span>
          {table.code} {code}
        </span>
        {clock && <span>{clock}</span>}
        <span>{watchers}</span>
      </div>
      <div class="row-doors">
        {state.value.mine.includes(row.id) ? (
          <a class="button" href={href({ at: "table", room: row.id })}>
            {lobby.back}
          </a>
        ) : (
          <>
            {row.names.includes(null) && (
              <button class="primary" disabled={!isUp.value} onClick={() => go({ at: "code", code: row.code })}>
                {lobby.sit}
              </button>
            )}
            <a class="button" href={href({ at: "table", room: row.id })}>
              {lobby.watch}
            </a>
          </>
        )}
      </div>
    </li>
  );
}
