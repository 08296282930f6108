/** Finds how the events of each game change its position: `position.ts` in the game's folder, or the module of a game from outside. */

import type { AnyEvent, AnyMove, AnyPosition, Refusal } from "../net/protocol";
import type { GameModule } from "./gameInterface";
import { outsideGames } from "./outsideGames";

type PositionModule = Pick<GameModule, "reduce" | "SHARED_MOVES">;

const modules = import.meta.glob<PositionModule>("./*/position.ts", { eager: true });

const POSITIONS: ReadonlyMap<string, PositionModule> = new Map(Object.entries(modules).map(([path, module]) => [path.split("/")[1]!, module]));

const LATE: readonly Refusal[] = ["stale", "not_your_turn", "not_playing"];

function positionModule(game: string): PositionModule | undefined {
  return POSITIONS.get(game) ?? outsideGames.peek().get(game);
}

/** Return the position after an event; a game that this page does not have keeps its position. */
export function reducePosition(game: string, position: AnyPosition, event: AnyEvent): AnyPosition {
  return positionModule(game)?.reduce(position, event) ?? position;
}

/** Tell whether a refused move needs no message, because another player made it first. */
export function isHarmlessRefusal(game: string, move: AnyMove, code: Refusal): boolean {
  return LATE.includes(code) && (positionModule(game)?.SHARED_MOVES?.includes(move.do) ?? false);
}
