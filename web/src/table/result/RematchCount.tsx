/** How many players want a rematch, for games of more than two. */

import { Avatar } from "../../common/Avatar";
import { texts } from "../../i18n/language";
import type { Seat } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { nameAt } from "../turn";
import "./rematch-count.css";

/** Return the seats that want a rematch; null if nobody has asked, or if two players need no count. */
export function rematchSeats({ seats, offers }: Pick<Room, "seats" | "offers">): readonly Seat[] | null {
  const offer = offers.find(({ kind }) => kind === "rematch");
  if (!offer || seats.length < 3) return null;
  return seats.map((_, seat) => seat).filter((seat) => !offer.asked.includes(seat));
}

export function RematchCount({ room }: { room: Room }) {
  const wanted = rematchSeats(room);
  if (!wanted) return null;
  return (
    <p class="rematch-count">
      <span class="rematch-seats" aria-hidden="true">
        {room.seats.map((_, seat) => (
          <span key={seat} class={wanted.includes(seat) ? "" : "rematch-open"}>
            <Avatar name={nameAt(room, seat)} />
          </span>
        ))}
      </span>
      <span role="status">{texts.value.gameEnd.wantRematch(wanted.length, room.seats.length)}</span>
    </p>
  );
}
