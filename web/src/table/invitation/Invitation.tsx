/** What an invited player sees first: who invites to what, and one button. */

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { href } from "../../app/route";
import { Avatar } from "../../common/Avatar";
import { partsOf } from "../../games/gameRegistry";
import type { GameParts } from "../../games/gameInterface";
import { gameName, texts } from "../../i18n/language";
import { clockText } from "../../lobby/tableSummary";
import { joinTable } from "../../net/commands";
import type { GameName, SeatView } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { isConnected, state } from "../../net/session";
import type { TableState } from "../../net/store";
import { BotMark } from "../../profile/BotMark";
import { nameAt } from "../turn";
import { watchRoom } from "./watchedRooms";
import "./invitation.css";

export function Invitation({ seen: { room } }: { seen: TableState }) {
  const parts = partsOf(room.game);
  const { invitation, lobby, table, toLobby } = texts.value;
  const inviting = inviterOf(room);
  const known = useRef<string | undefined>(undefined);
  if (inviting) known.current = inviting.name;
  const game = gameName(room.game);
  const watch = (
    <button class={isOpen(room) ? "invitation-watch" : "primary"} onClick={() => watchRoom(room.id)}>
      {lobby.watch}
    </button>
  );
  if (room.phase === "closed") {
    return (
      <Card room={room} parts={parts} title={known.current ? withName(known.current, invitation.left) : table.closed} note={invitation.closedNote}>
        <a class="button primary" href={href({ at: "lobby" })}>
          {toLobby}
        </a>
      </Card>
    );
  }
  if (!isOpen(room)) {
    return (
      <Card room={room} parts={parts} title={invitation.full} note={invitation.fullNote}>
        {watch}
      </Card>
    );
  }
  const note = !inviting ? known.current && withName(known.current, `${invitation.left}.`) : inviting.disconnected && withName(inviting.name, invitation.offline);
  return (
    <Card room={room} parts={parts} title={inviting ? withName(inviting.name, invitation.invites(game), inviting.bot_account) : invitation.nameless(game)} note={note}>
      {room.table.rated && !state.value.account ? (
        <a class="button primary" href={href({ at: "account" })}>
          {texts.value.rated.signIn}
        </a>
      ) : (
        <button class="primary" disabled={!isConnected.value} onClick={() => joinTable(room.id)}>
          {table.sitHere}
        </button>
      )}
      {watch}
    </Card>
  );
}

interface CardProps {
  room: Room;
  parts: GameParts<GameName> | undefined;
  title: ComponentChildren;
  note: ComponentChildren;
  /** Buttons. */
  children: ComponentChildren;
}

function Card({ room, parts, title, note, children }: CardProps) {
  const inviting = inviterOf(room);
  return (
    <section class="invitation" aria-labelledby="invitation-title">
      {parts && (
        <div class="invitation-picture">
          <parts.LobbyPicture />
        </div>
      )}
      <div class="invitation-body">
        <div class="invitation-head">
          {inviting && <Avatar name={inviting.name} />}
          <h1 id="invitation-title" aria-live="polite">
            {title}
          </h1>
        </div>
        {room.phase === "waiting" && <Rules room={room} parts={parts} />}
        {room.seats.length > 2 && room.phase === "waiting" && <Players room={room} />}
        {note && <p class="invitation-note soft">{note}</p>}
        <div class="buttons invitation-buttons">{children}</div>
      </div>
    </section>
  );
}

/** Options, clock and side. */
function Rules({ room, parts }: { room: Room; parts: GameParts<GameName> | undefined }) {
  const { createTable, invitation } = texts.value;
  const free = room.seats.flatMap((taken, seat) => (taken ? [] : [seat]));
  const side = free.length === 1 ? parts?.sides?.(texts.value)[free[0]!] : undefined;
  const rules = [
    ...(room.table.rated ? [texts.value.rated.name] : []),
    ...(parts?.tags?.(room.options, texts.value, true) ?? []),
    room.table.clock ? clockText(room.table.clock, texts.value) : createTable.noClock,
    ...(side ? [invitation.side(side)] : []),
  ];
  return (
    <ul class="invitation-rules">
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}

/** Who has taken a seat, in games of more than two. */
function Players({ room }: { room: Room }) {
  const taken = room.seats.flatMap((seat, number) => (seat && !seat.reserved ? [number] : []));
  return (
    <p class="invitation-players soft">
      {texts.value.invitation.seats(taken.length, room.seats.length)}
      {taken.map((seat) => (
        <span key={seat}>
          <bdi>{nameAt(room, seat)}</bdi> <BotMark shown={room.seats[seat]?.bot_account ?? false} />
        </span>
      ))}
    </p>
  );
}

/** Return a sentence that begins with a name of any direction of writing. */
function withName(name: string, rest: string, bot = false) {
  return (
    <>
      <bdi>{name}</bdi>
      {bot && " "}
      <BotMark shown={bot} />
      {rest}
    </>
  );
}

/** Return the person who has been seated longest. */
function inviterOf(room: Room): SeatView | undefined {
  return [room.seats[room.host], ...room.seats].find((taken): taken is SeatView => Boolean(taken && !taken.bot && !taken.reserved));
}

function isOpen(room: Room): boolean {
  return room.phase === "waiting" && room.seats.includes(null);
}
