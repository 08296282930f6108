/** A finished game as the server tells it again, one frame for each thing that happened. */

import type { AnyPosition, Frame, GameName, Replay, RoomId, Seat } from "./wire";

/** Whose eyes: a seat, somebody without one, or nobody's secrets kept. */
export type Eyes = Seat | "watch" | "all";

/** A finished game of a kind this page knows. */
export interface Account extends Replay {
  game: GameName;
}

/** What came of asking: the game, no such game, or no answer. */
export type Found = Account | "gone" | "lost";

/** Return the address of a finished game. */
export function accountPath(room: RoomId, match: number, eyes: Eyes | null = null): string {
  return `/api/games/${encodeURIComponent(room)}/${match}${eyes === null ? "" : `?seat=${eyes}`}`;
}

/** Ask for a finished game as these eyes saw it. */
export async function fetchAccount(room: RoomId, match: number, eyes: Eyes | null, ask = fetch): Promise<Found> {
  try {
    const answer = await ask(accountPath(room, match, eyes), { headers: { accept: "application/json" } });
    if (answer.status === 404) return "gone";
    if (!answer.ok) return "lost";
    const account = (await answer.json()) as Account;
    return account.frames.length > 0 ? account : "gone";
  } catch {
    return "lost";
  }
}

/** Return the frames at which what can be seen changes; talk and absence are no steps of a game. */
export function turning(frames: readonly Frame[], seen: (position: AnyPosition) => unknown = (position) => position): readonly Frame[] {
  const kept: Frame[] = [];
  let before = "";
  for (const frame of frames) {
    const now = JSON.stringify(seen(frame.position));
    if (now !== before) kept.push(frame);
    before = now;
  }
  const last = frames.at(-1);
  // Resigning moves nothing, but it is how the game ended: the last frame says so.
  if (last && kept.length > 0 && kept.at(-1) !== last) kept[kept.length - 1] = { ...kept.at(-1)!, events: [...kept.at(-1)!.events, ...last.events] };
  return kept;
}

/** Return the eyes that may be chosen, as this page calls them. */
export function eyesOf(account: Pick<Account, "seats">): readonly Eyes[] {
  return account.seats.map((one) => (one === "all" || one === "watch" ? one : Number(one)));
}

/** Return through whose eyes a game is told. */
export function toldTo(account: Pick<Account, "seat">): Eyes {
  return account.seat === "all" || account.seat === "watch" ? account.seat : Number(account.seat);
}

/** Return the frame at which a table was as it was at a version; other eyes may have other frames. */
export function placeOf(frames: readonly Frame[], version: number): number {
  return Math.max(0, frames.findLastIndex((frame) => frame.version <= version));
}

/** Return the frame at which this many moves were made, where a game counts them. */
export function frameOf(frames: readonly Frame[], moves: number): number {
  const found = frames.findIndex(({ position }) => movesOf(position) >= moves);
  return found < 0 ? frames.length - 1 : found;
}

/** Return how many moves a position has behind it. */
export function movesOf(position: AnyPosition): number {
  return "moves" in position ? (position.moves?.length ?? 0) : 0;
}
