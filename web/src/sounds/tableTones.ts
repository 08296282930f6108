/** What is heard and notified when a table changes. */

import type { GameParts } from "../games/gameInterface";
import type { ChatLineView, GameName, OfferKind, Said, Seat } from "../net/protocol";
import type { TableState } from "../net/store";
import { isHidden, type MutedPlayers } from "../table/chat/mutedPlayers";

/** Where the user is. */
export interface Attention {
  /** The tab is hidden. */
  hidden: boolean;
  /** The page is at this table. */
  here: boolean;
  muted: MutedPlayers;
  /** Names of blocked players. */
  blocked: readonly string[];
}

/** Somebody sat down, makes an offer to the user, or it is the user's turn; `seat` is the other player's. */
export type Alert = { about: "seat"; seat: Seat } | { about: "offer"; seat: Seat; kind: OfferKind } | { about: "turn" };

/** Tell whether the table waits for the user, alone or with some of the other players. */
export function waitsForYou({ room, you, replaced }: TableState): boolean {
  const { phase, to_act: acting, seats } = room;
  return you !== null && !replaced && phase === "playing" && acting.includes(you) && acting.length < seats.length;
}

/** Return what the user is told about first; null: nothing. */
export function alertOf(before: TableState, now: TableState): Alert | null {
  const { room, you } = now;
  if (you === null || now.replaced) return null;
  const isPerson = (table: TableState, seat: Seat) => {
    const taken = table.room.seats[seat];
    return taken != null && !taken.bot && !taken.reserved;
  };
  const newcomer = room.seats.findIndex((_, seat) => seat !== you && before.you === you && isPerson(now, seat) && !isPerson(before, seat));
  if (newcomer >= 0) return { about: "seat", seat: newcomer };
  const offer = room.offers.find(({ id, asked }) => asked.includes(you) && !before.room.offers.some((old) => old.id === id));
  if (offer) return { about: "offer", seat: offer.seat, kind: offer.kind };
  return waitsForYou(now) && !waitsForYou(before) ? { about: "turn" } : null;
}

/** A change of a table, and what the user is told about it. */
export interface Change {
  before: TableState;
  now: TableState;
  alert: Alert | null;
}

/** Return what is heard, one after the other. `order`: the sounds of the game, the most important first. */
export function tonesOf({ before, now, alert }: Change, parts: GameParts<GameName> | undefined, order: readonly string[], at: Attention): readonly string[] {
  const away = at.hidden || !at.here;
  // The move that makes it the user's turn is heard at the table.
  const alerts = alert === null || (alert.about === "turn" && !away) ? [] : [alert.about === "turn" ? "turn" : "seat"];
  if (!at.here) return alerts;
  const events = now.last === before.last ? [] : (now.last?.events ?? []);
  const tones = events.map((event) => parts?.tone?.(event) ?? null);
  const loudest = order.find((tone) => tones.includes(tone));
  const heard = [...new Set([...(loudest ? [loudest] : []), ...endOf(before, now, parts), ...alerts])];
  const spoke = events.some((event) => event.e === "said" && isHeard((event as Said).line, now, at));
  return heard.length === 0 && spoke ? ["chat"] : heard;
}

/** The end of a game; a spectator hears that somebody has won. */
function endOf(before: TableState, now: TableState, parts: GameParts<GameName> | undefined): readonly string[] {
  const { phase, result, position } = now.room;
  if (phase !== "over" || before.room.phase !== "playing" || result === null) return [];
  const isPlayed = position === null || (parts?.hasMoves?.(position) ?? true);
  const isWon = now.you === null ? result.winners.length > 0 : result.winners.includes(now.you);
  return [isWon && isPlayed ? "won" : "lost"];
}

function isHeard(line: ChatLineView, { room, you }: TableState, { muted, blocked }: Attention): boolean {
  const isOwn = you !== null && line.seat === you;
  return !isOwn && !isHidden(line, room.id, muted, blocked);
}
