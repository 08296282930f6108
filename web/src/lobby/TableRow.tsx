/** One table in the list. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { Avatar } from "../common/Avatar";
import { GameIcon } from "../common/GameIcon";
import { partsOf } from "../games/gameRegistry";
import { botTexts, texts } from "../i18n/language";
import { shortClockText, tableSummary, type Player } from "./tableSummary";
import { RatingText } from "../ratings/RatingText";
import { go, href } from "../app/route";
import { isConnected, state, time } from "../net/session";
import type { LobbyRow } from "../net/protocol";
import { watchRoom } from "../table/invitation/watchedRooms";
import { BotMark } from "../profile/BotMark";
import { READY_AFTER } from "../table/actions/ConfirmButton";
import { SpectatorIcon } from "../common/SpectatorIcon";

interface RowProps {
  row: LobbyRow;
  removed: boolean;
  index: number;
}

export function TableRow({ row, removed, index }: RowProps) {
  const { lobby, table } = texts.value;
  const { tableList } = texts.value;
  const parts = partsOf(row.game);
  const { game, name, code, players, spectators, clock, tags } = tableSummary(row, texts.value, parts?.tags);
  const bots = players.filter((player) => player.bot);
  // A table that waits is offered with those who are there.
  const people = players.filter((player) => !player.free && !player.bot && !(player.disconnected && row.phase === "waiting"));
  const free = players.filter((player) => player.free).length;
  return (
    <li class={removed ? "row row-removed" : "row"}>
      <span class="row-avatars">
        {people.length > 0 ? people.slice(0, 2).map((player, seat) => <Avatar key={seat} name={player.name} />) : <GameIcon game={row.game} />}
      </span>
      <div class="row-names">
        {people.map((player, seat) => (
          <PlayerCell key={seat} player={player} />
        ))}
        {bots.length > 0 && <span class="row-bots">{bots.length === 1 ? <BotCell game={row.game} player={bots[0]!} /> : tableList.bots(bots.length)}</span>}
        {free > 0 && <span class="row-free">{free === 1 ? lobby.emptySeat : tableList.emptySeats(free)}</span>}
      </div>
      <div class="row-facts soft">
        <span class="row-game">{game}</span>
        {name !== game && (
          <bdi class="row-title" title={name}>
            {name}
          </bdi>
        )}
        <span class={`phase phase-${row.phase}`}>{removed ? tableList.closed : <Status row={row} />}</span>
        {row.phase === "waiting" && players.length > 2 && <span>{tableList.seated(players.length - free, players.length)}</span>}
        {row.rated && <span class="tag tag-rated">{texts.value.rated.name}</span>}
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            {tag}
          </span>
        ))}
        {row.sees_hidden_allowed && <span class="tag tag-sees-hidden">{tableList.seesHidden}</span>}
        {row.clock && (
          <span title={clock}>
            <span aria-hidden="true">{shortClockText(row.clock, texts.value)}</span>
            <span class="hidden">{clock}</span>
          </span>
        )}
        {Boolean(row.spectators) && (
          <span class="row-spectators">
            <SpectatorIcon /> <span aria-hidden="true">{row.spectators}</span>
            <span class="hidden">{spectators}</span>
          </span>
        )}
        {Boolean(row.spectator_delay) && <span>{tableList.delayed(row.spectator_delay!)}</span>}
        <span>
          <span class="hidden">{table.code} </span>
          <span class="row-code">{code}</span>
        </span>
      </div>
      <TableLinks row={row} removed={removed} index={index} />
    </li>
  );
}

function PlayerCell({ player: { name, botAccount, disconnected, rating } }: { player: Player }) {
  return (
    <span class={disconnected ? "row-disconnected" : ""} title={name}>
      <bdi>{name}</bdi> <BotMark shown={botAccount} /> <RatingText rating={rating} />
      {disconnected && <small class="soft"> {texts.value.tableList.away}</small>}
    </span>
  );
}

function BotCell({ game, player: { bot, rating } }: { game: string; player: Player }) {
  return (
    <>
      {botTexts(game, bot).name} <small>{texts.value.tableList.computer}</small> <RatingText rating={rating} />
    </>
  );
}

/** Shows the waiting time in minutes, so that the row does not tick. */
function Status({ row }: { row: LobbyRow }) {
  const { lobby } = texts.value;
  if (row.phase !== "waiting" || !row.since) return <>{lobby.phase[row.phase]}</>;
  return <>{texts.value.tableList.waited(Math.floor((time.now() - row.since) / 60_000))}</>;
}

/** A row that has just moved cannot be pressed for a moment. */
function TableLinks({ row, removed, index }: RowProps) {
  const { lobby } = texts.value;
  const still = useSignal(false);
  useLayoutEffect(() => {
    still.value = false;
    const timer = setTimeout(() => (still.value = true), READY_AFTER);
    return () => clearTimeout(timer);
  }, [index]);
  const there = href({ at: "table", room: row.id });
  if (removed) return <div class="row-links" />;
  return (
    <div class={still.value ? "row-links" : "row-links row-moved"}>
      {state.value.myRooms.includes(row.id) ? (
        <a class="button" href={there}>
          {lobby.backToTable}
        </a>
      ) : (
        <>
          {row.names.includes(null) && <SitDown row={row} />}
          {row.names.includes(null) ? (
            <a class="button row-watch" href={there} onClick={() => watchRoom(row.id)} aria-label={lobby.watch} title={lobby.watch}>
              <SpectatorIcon />
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

/** Takes a seat; at a rated table guests sign in first. */
function SitDown({ row }: { row: LobbyRow }) {
  const { lobby, rated } = texts.value;
  if (row.rated && !state.value.account) {
    return (
      <a class="button row-sit" href={href({ at: "account" })} title={rated.signIn} aria-label={rated.signIn}>
        {rated.toSignIn}
      </a>
    );
  }
  return (
    <button class="row-sit" disabled={!isConnected.value} onClick={() => go({ at: "code", code: row.code })}>
      {lobby.sit}
    </button>
  );
}
