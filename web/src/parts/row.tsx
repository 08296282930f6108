/** A table in the list, always of the same height. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { partsOf } from "../games/boards";
import { botCard, words } from "../i18n";
import { text } from "../i18n/lobby";
import { clockBrief, listing, type Player } from "../listing";
import { go, href } from "../route";
import { isUp, state, time } from "../session";
import type { LobbyRow } from "../wire";
import { ARMED_AFTER } from "./armed";
import { Eye } from "./eye";

interface RowProps {
  row: LobbyRow;
  gone: boolean;
  place: number;
}

export function Row({ row, gone, place }: RowProps) {
  const { lobby, table } = words.value;
  const { list } = text.value;
  const parts = partsOf(row.game);
  const { game, name, code, players, watchers, clock, tags } = listing(row, words.value, parts?.tags);
  const bots = players.filter((player) => player.bot);
  const free = players.filter((player) => player.free).length;
  return (
    <li class={gone ? "row row-gone" : "row"}>
      <span class="row-emblem">{parts && <parts.Emblem />}</span>
      <div class="row-names">
        {players.map((player, seat) => (player.free || player.bot ? null : <Person key={seat} player={player} />))}
        {bots.length > 0 && <span class="row-bots">{bots.length === 1 ? <Bot player={bots[0]!} /> : list.bots(bots.length)}</span>}
        {free > 0 && <span class="row-free">{free === 1 ? lobby.free : list.free(free)}</span>}
      </div>
      <div class="row-facts soft">
        <span class={`phase phase-${row.phase}`}>{gone ? list.gone : <Status row={row} />}</span>
        <span class="row-game">{game}</span>
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {row.clock && (
          <span title={clock}>
            <span aria-hidden="true">{clockBrief(row.clock, words.value)}</span>
            <span class="hidden">{clock}</span>
          </span>
        )}
        <span class="row-eye">
          <Eye /> <span aria-hidden="true">{row.watchers ?? 0}</span>
          <span class="hidden">{watchers}</span>
        </span>
        {Boolean(row.delay) && <span>{list.delayed(row.delay!)}</span>}
        <span>
          <span class="hidden">{table.code} </span>
          <span class="row-code">{code}</span>
        </span>
        {name !== game && <bdi>{name}</bdi>}
      </div>
      <Doors row={row} gone={gone} place={place} />
    </li>
  );
}

function Person({ player: { name, away } }: { player: Player }) {
  return (
    <span class={away ? "row-away" : ""}>
      {name}
      {away && <small class="soft"> {text.value.list.away}</small>}
    </span>
  );
}

function Bot({ player: { bot } }: { player: Player }) {
  return (
    <>
      {botCard(bot).name} <small>{text.value.list.computer}</small>
    </>
  );
}

/** Whoever waits has waited for so long; it is told in minutes, so that nothing ticks. */
function Status({ row }: { row: LobbyRow }) {
  const { lobby } = words.value;
  if (row.phase !== "waiting" || !row.since) return <>{lobby.phase[row.phase]}</>;
  return <>{text.value.list.waited(Math.floor((time.now() - row.since) / 60_000))}</>;
}

/** What has just moved under a finger cannot be pressed for a moment. */
function Doors({ row, gone, place }: RowProps) {
  const { lobby } = words.value;
  const still = useSignal(false);
  useLayoutEffect(() => {
    still.value = false;
    const timer = setTimeout(() => (still.value = true), ARMED_AFTER);
    return () => clearTimeout(timer);
  }, [place]);
  const there = href({ at: "table", room: row.id });
  if (gone) return <div class="row-doors" />;
  return (
    <div class={still.value ? "row-doors" : "row-doors row-moved"}>
      {state.value.mine.includes(row.id) ? (
        <a class="button" href={there}>
          {lobby.back}
        </a>
      ) : (
        <>
          {row.names.includes(null) && (
            <button class="row-sit" disabled={!isUp.value} onClick={() => go({ at: "code", code: row.code })}>
              {lobby.sit}
            </button>
          )}
          {row.names.includes(null) ? (
            <a class="button row-watch" href={there} aria-label={lobby.watch} title={lobby.watch}>
              <Eye />
            </a>
          ) : (
            <a class="button" href={there}>
              {lobby.watch}
            </a>
          )}
        </>
      )}
    </div>
  );
}
