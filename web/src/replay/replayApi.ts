/** Fetches the replay of a finished game, and finds frames and moves in it. */

import type { AnyPosition, Frame, Replay, RoomId, Seat } from "../net/protocol";
import { readFrames, type CompactFrames } from "../net/compactFrames";

/** Viewpoint of a replay: a seat, a spectator, or everything visible. */
export type Viewpoint = Seat | "watch" | "all";

/** Result of the request: the replay, or why there is none. */
export type ReplayResponse = Replay | "notFound" | "failed";

/** Return the address of a finished game. */
export function replayPath(room: RoomId, match: number, viewpoint: Viewpoint | null = null): string {
  return `/api/games/${encodeURIComponent(room)}/${match}${viewpoint === null ? "" : `?seat=${viewpoint}`}`;
}

/** Fetch a finished game as seen from a viewpoint. */
export async function fetchReplay(room: RoomId, match: number, viewpoint: Viewpoint | null, ask = fetch): Promise<ReplayResponse> {
  try {
    const path = `${replayPath(room, match, viewpoint)}${viewpoint === null ? "?" : "&"}form=compact`;
    const answer = await ask(path, { headers: { accept: "application/json" } });
    if (answer.status === 404) return "notFound";
    if (!answer.ok) return "failed";
    const replay = (await answer.json()) as Omit<Replay, "frames"> & { frames: CompactFrames };
    const frames = readFrames(replay.frames);
    return frames.length > 0 ? { ...replay, frames } : "notFound";
  } catch {
    return "failed";
  }
}

/** Return the frames at which the visible position changes; chat and absence are not steps. */
export function visibleSteps(frames: readonly Frame[], seen: (position: AnyPosition) => unknown = (position) => position): readonly Frame[] {
  const steps: Frame[] = [];
  let before = "";
  for (const frame of frames) {
    const now = JSON.stringify(seen(frame.position));
    if (now !== before) steps.push(frame);
    before = now;
  }
  const last = frames.at(-1);
  // Resigning does not change the position, so its events join the last step.
  if (last && steps.length > 0 && steps.at(-1) !== last) steps[steps.length - 1] = { ...steps.at(-1)!, events: [...steps.at(-1)!.events, ...last.events] };
  return steps;
}

/** Return the available viewpoints. */
export function viewpointsOf(replay: Pick<Replay, "seats">): readonly Viewpoint[] {
  return replay.seats.map((one) => (one === "all" || one === "watch" ? one : Number(one)));
}

/** Return the viewpoint of a replay. */
export function viewpointOf(replay: Pick<Replay, "seat">): Viewpoint {
  return replay.seat === "all" || replay.seat === "watch" ? replay.seat : Number(replay.seat);
}

/** Return the frame of a version; other viewpoints may have other frames. */
export function frameAtVersion(frames: readonly Frame[], version: number): number {
  return Math.max(0, frames.findLastIndex((frame) => frame.version <= version));
}

/** Return the frame after this many moves, for games that count moves. */
export function frameAtMove(frames: readonly Frame[], moves: number): number {
  const found = frames.findIndex(({ position }) => moveCount(position) >= moves);
  return found < 0 ? frames.length - 1 : found;
}

/** Return the first frame of a hand, counted from 1; `handOf` tells hands apart. */
export function frameAtHand(frames: readonly Frame[], hand: number, handOf: ((position: AnyPosition) => string) | undefined): number {
  let before = handOf?.(frames[0]!.position);
  let number = 1;
  return Math.max(0, frames.findIndex(({ position }) => {
    const now = handOf?.(position);
    if (now !== before) number += 1;
    before = now;
    return number === hand;
  }));
}

/** Return the number of moves before a position. */
export function moveCount(position: AnyPosition): number {
  return "moves" in position ? (position.moves?.length ?? 0) : 0;
}
