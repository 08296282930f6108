/** The live list of public tables. */

import { gameName, words } from "../i18n";
import { href } from "../route";
import { isUp, state } from "../session";
import { go } from "../route";
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
  const { lobby, create, table } = words.value;
  const mine = state.value.mine.includes(row.id);
  const main = (row.clock?.main?.[0] ?? 0) / 60_000;
  const free = row.names.includes(null);
  return (
    <li class="row">
      <div class="row-names">
        {row.names.map((name, seat) => (
          <span key={seat} class={name === null ? "row-free" : "row-name"}>
            {name ?? lobby.free}
          </span>
        ))}
      </div>
      <div class="row-facts soft">
        <span>{gameName(row.game)}</span>
        <span class={`phase phase-${row.phase}`}>{lobby.phase[row.phase]}</span>
        <span>
          {table.code} {row.code}
        </span>
        {main > 0 && <span>{create.clockOf(main, (row.clock?.increment ?? 0) / 1000)}</span>}
        {!!row.watchers && <span>{lobby.watchers(row.watchers)}</span>}
      </div>
      <div class="row-doors">
        {mine ? (
          <a class="button" href={href({ at: "table", room: row.id })}>
            {lobby.back}
          </a>
        ) : (
          <>
            {free && (
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
