/** The most watched public game: small, live, and a link to its table; or the game that ended last. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { href } from "../../app/route";
import { Avatar } from "../../common/Avatar";
import { SpectatorIcon } from "../../common/SpectatorIcon";
import { useInterval } from "../../common/useInterval";
import { partsOf } from "../../games/gameRegistry";
import { gameName, nameList, texts } from "../../i18n/language";
import type { Seat } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { clockFace, remaining } from "../../net/serverTime";
import { isConnected, state, time } from "../../net/session";
import { BotMark } from "../../profile/BotMark";
import { fetchFinishedGames, gameResult, playerName, type FinishedGame } from "../../replay/finishedGamesApi";
import { RatingText } from "../../ratings/RatingText";
import { nameAt, seatsTopDown } from "../../table/turn";
import { shortClockText } from "../tableSummary";
import { MiniBoard } from "./MiniBoard";

/** Pixels of the board's side where it is largest. */
const SIZE = 360;

export function FeaturedTable() {
  const room = state.value.featured;
  return <section class="featured">{room ? <LiveTable room={room} /> : <NoTable known={room === null} />}</section>;
}

const latest = signal<FinishedGame | null>(null);

function LiveTable({ room }: { room: Room }) {
  const { featured, lobby } = texts.value;
  const seats = seatsTopDown(room, null);
  const half = Math.ceil(seats.length / 2);
  const facts = [gameName(room.game), ...(partsOf(room.game)?.tags?.(room.options, texts.value) ?? [])];
  if (room.table.clock) facts.push(shortClockText(room.table.clock, texts.value));
  useInterval(room.phase === "playing" && room.clock !== null, 500);
  return (
    <a class="featured-link" href={href({ at: "table", room: room.id })} aria-label={featured.watch(nameList(seats.map((seat) => nameAt(room, seat))))}>
      <div class="featured-head">
        <span class="featured-live">{room.phase === "over" ? lobby.phase.over : featured.live}</span>
        {room.table.title && (
          <bdi class="soft featured-title" title={room.table.title}>
            {room.table.title}
          </bdi>
        )}
        <span class="soft featured-facts">
          {facts.join(" · ")}
          {room.spectators > 0 && (
            <>
              {" · "}
              <SpectatorIcon /> {room.spectators}
            </>
          )}
        </span>
      </div>
      <Players room={room} seats={seats.slice(half).reverse()} />
      <MiniBoard room={room} you={null} size={SIZE} />
      <Players room={room} seats={seats.slice(0, half)} />
    </a>
  );
}

function Players({ room, seats }: { room: Room; seats: readonly Seat[] }) {
  return (
    <div class="featured-players">
      {seats.map((seat) => {
        const name = nameAt(room, seat);
        const left = room.clock ? remaining(room.clock, seat, time.now(), room.table.clock?.move || null).left : null;
        const turn = room.phase === "playing" && room.to_act.includes(seat);
        return (
          <div class={turn ? "featured-player featured-turn" : "featured-player"} key={seat}>
            <Avatar name={name} />
            <bdi title={name}>{name}</bdi>
            <BotMark shown={room.seats[seat]?.bot_account ?? false} />
            <RatingText rating={room.ratings[seat]} />
            {left !== null && <span class="featured-clock">{clockFace(left)}</span>}
          </div>
        );
      })}
    </div>
  );
}

/** While no game runs: the one that ended last, if there is one. Keeps the space of the board. */
function NoTable({ known }: { known: boolean }) {
  const { featured } = texts.value;
  const connected = isConnected.value;
  useEffect(() => {
    if (known && connected) void fetchFinishedGames({ player: "", game: "" }).then((found) => (latest.value = found?.[0] ?? null));
  }, [known, connected]);
  if (known && latest.value) return <LatestGame game={latest.value} />;
  return (
    <div class="featured-none">
      <BoardPicture path={known ? "/picture.png" : null} />
      <div class="featured-none-text">
        <p class="featured-none-title">{known && featured.none}</p>
        <p class="soft">{known && featured.noneHint}</p>
      </div>
    </div>
  );
}

function LatestGame({ game }: { game: FinishedGame }) {
  const { featured, finishedGames } = texts.value;
  return (
    <a class="featured-link" href={href({ at: "game", room: game.room, match: game.match })}>
      <div class="featured-head">
        <strong>{featured.latest}</strong>
        <span class="soft featured-facts">{[gameName(game.game), finishedGames.moves(game.moves)].join(" · ")}</span>
      </div>
      <BoardPicture path={`/g/${game.room}/${game.match}/picture.png`} />
      <div class="featured-result">
        <div class="featured-result-text">
          <bdi>{game.names.map((_, seat) => playerName(game, seat)).join(" – ")}</bdi>
          <span class="soft">{gameResult(game)}</span>
        </div>
        <span class="button small">{finishedGames.watch}</span>
      </div>
    </a>
  );
}

/** The board of a picture that shared links show. */
function BoardPicture({ path }: { path: string | null }) {
  return <span class="featured-picture">{path && <img src={path} alt="" loading="lazy" />}</span>;
}
