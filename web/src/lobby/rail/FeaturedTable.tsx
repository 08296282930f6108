/** The most watched public game: small, live, and a link to its table. */

import { href } from "../../app/route";
import { Avatar } from "../../common/Avatar";
import { SpectatorIcon } from "../../common/SpectatorIcon";
import { useInterval } from "../../common/useInterval";
import { partsOf } from "../../games/gameRegistry";
import { gameName, nameList, texts } from "../../i18n/language";
import type { Seat } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { clockFace, remaining } from "../../net/serverTime";
import { state, time } from "../../net/session";
import { nameAt, seatsTopDown } from "../../table/turn";
import { chosenGame } from "../chosenGame";
import { NoPicture } from "../hero/OtherGames";
import { shortClockText } from "../tableSummary";
import { MiniBoard } from "./MiniBoard";

/** Pixels of the board's side where it is largest. */
const SIZE = 360;

export function FeaturedTable() {
  const room = state.value.featured;
  return <section class="featured">{room ? <LiveTable room={room} /> : <NoTable known={room === null} />}</section>;
}

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
        <span class="soft featured-facts">
          {room.table.title && (
            <>
              <bdi title={room.table.title}>{room.table.title}</bdi>
              {" · "}
            </>
          )}
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
            {left !== null && <span class="featured-clock">{clockFace(left)}</span>}
          </div>
        );
      })}
    </div>
  );
}

/** Keeps the space of the board. */
function NoTable({ known }: { known: boolean }) {
  const { featured } = texts.value;
  const Picture = partsOf(chosenGame()?.name ?? "")?.LobbyPicture ?? NoPicture;
  return (
    <div class="featured-none">
      <Picture />
      <div class="featured-none-text">
        <p class="featured-none-title">{known && featured.none}</p>
        <p class="soft">{known && featured.noneHint}</p>
      </div>
    </div>
  );
}
