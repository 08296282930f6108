/** Finds how the events of each game change its position: `position.ts` in the game's folder. */

import type { AnyEvent, AnyMove, AnyPosition, Refusal } from "../net/protocol";

interface PositionModule {
  reduce: (position: AnyPosition, event: AnyEvent) => AnyPosition;
  /** Moves that another player may make first; a refusal of them needs no message. */
  SHARED_MOVES?: readonly string[];
}

const modules = import.meta.glob<PositionModule>("./*/position.ts", { eager: true });

const POSITIONS: ReadonlyMap<string, PositionModule> = new Map(Object.entries(modules).map(([path, module]) => [path.split("/")[1]!, module]));

const LATE: readonly Refusal[] = ["stale", "not_your_turn", "not_playing"];

/** Return the position after an event; a game that this page does not have keeps its position. */
export function reducePosition(game: string, position: AnyPosition, event: AnyEvent): AnyPosition {
  return POSITIONS.get(game)?.reduce(position, event) ?? position;
}

/** Tell whether a refused move needs no message, because another player made it first. */
export function isHarmlessRefusal(game: string, move: AnyMove, code: Refusal): boolean {
  return LATE.includes(code) && (POSITIONS.get(game)?.SHARED_MOVES?.includes(move.do) ?? false);
}
