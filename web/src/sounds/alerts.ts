/** Plays and notifies what happens at the tables of this page. Everything about sounds is loaded with this file. */

import { route } from "../app/route";
import { partsOf } from "../games/gameRegistry";
import type { Room } from "../net/roomReducer";
import { blockedNames } from "../net/relationState";
import type { TableState } from "../net/store";
import { mutedPlayers } from "../table/chat/mutedPlayers";
import { audioOutput } from "../table/tones";
import { playTones, soundsOf } from "./player";
import { alertOf, tonesOf, type Alert } from "./tableTones";

export { playExample, playTones } from "./player";

async function notify(room: Room, alert: Alert): Promise<void> {
  const notifications = await import("./notifications").catch(() => null);
  await notifications?.notify(room, alert);
}

async function movesItself({ game, position }: Room): Promise<boolean> {
  try {
    return position !== null && (await partsOf(game)?.movesItself?.(position)) === true;
  } catch {
    return false;
  }
}

/** Tell the user what has changed at a table. */
export async function tell(before: TableState, now: TableState): Promise<void> {
  const { room } = now;
  const here = route.peek();
  const at = { hidden: document.hidden, here: here.at === "table" && here.room === room.id, muted: mutedPlayers.peek(), blocked: blockedNames.peek() };
  const parts = partsOf(room.game);
  let alert = alertOf(before, now);
  if (alert?.about === "turn" && (await movesItself(room))) alert = null;
  if (alert && at.hidden) void notify(room, alert);
  if (audioOutput() === null) return;
  const order = Object.keys(await soundsOf(room.game));
  const tones = tonesOf({ before, now, alert }, parts, order, at);
  if (tones.length > 0) await playTones(tones, room.game);
}
