/** Position of gomoku, and how events change it. */

import type { GomokuChoice, GomokuEvent, GomokuForbiddenKind, GomokuOptions, GomokuPosition, Seat } from "../../net/protocol";

/** The usual number of lines. */
export const SIZE = 15;

export type Colour = "black" | "white";

/** What is to be done next in the swap2 opening. */
export type Stage = "first" | "choice" | "more" | "colour";

/** Stones on the board when a player chooses: the second player, then the first. */
const [FIRST_STONES, ALL_STONES] = [3, 5];

/** What may be chosen at a stage. */
export const STAGE_CHOICES: Readonly<Record<Stage, readonly GomokuChoice[]>> = {
  first: [],
  choice: ["white", "black", "two_more"],
  more: [],
  colour: ["white", "black"],
};

/** Return the number of lines of the board; before the first game the options tell. */
export function sizeOf(position: GomokuPosition | null, options: GomokuOptions = {}): number {
  return (position ? position.size : options.size) ?? SIZE;
}

/** Return the colour of the stone with this move index; black is first. */
export function colourOfMove(index: number): Colour {
  return index % 2 === 0 ? "black" : "white";
}

/** Return the stage of the swap2 opening; null after it and without it. */
export function stageOf({ rule, choices = [], moves }: GomokuPosition): Stage | null {
  if (rule !== "swap2") return null;
  const last = choices.at(-1);
  if (last === undefined) return moves.length < FIRST_STONES ? "first" : "choice";
  if (last !== "two_more") return null;
  return moves.length < ALL_STONES ? "more" : "colour";
}

/** Return the colour a seat plays with; null until it is chosen. */
export function colourOf(position: GomokuPosition, seat: Seat): Colour | null {
  if (stageOf(position)) return null;
  return seat === position.black ? "black" : "white";
}

/** Return why black may not place a stone on a cell now. */
export function forbiddenKind({ forbidden = [] }: GomokuPosition, cell: number): GomokuForbiddenKind | null {
  return forbidden.find((point) => point.cell === cell)?.kind ?? null;
}

/** Return the coordinate of a cell: A1 at the bottom left. */
export function coordinate(cell: number, size: number): string {
  return `${columnName(cell % size)}${size - Math.floor(cell / size)}`;
}

/** Return the letter of a column counted from the left. */
export function columnName(x: number): string {
  return String.fromCharCode(65 + x);
}

/** Return the stones on the board after these moves. */
export function stones(moves: readonly number[]): ReadonlyMap<number, Colour> {
  return new Map(moves.map((cell, index) => [cell, colourOfMove(index)]));
}

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position: GomokuPosition, event: GomokuEvent): GomokuPosition {
  switch (event.e) {
    case "placed": {
      const { forbidden: _, ...rest } = position;
      const moves = [...position.moves, event.x + sizeOf(position) * event.y];
      return withTurn({ ...rest, moves, ...(event.forbidden && { forbidden: event.forbidden }) });
    }
    case "chosen":
      return withTurn({ ...position, black: event.black, choices: [...(position.choices ?? []), event.choice] });
    case "five_in_row":
      return { ...position, line: event.cells };
    default:
      return position;
  }
}

/** In the opening the seat that began is `black`. */
function withTurn(position: GomokuPosition): GomokuPosition {
  const stage = stageOf(position);
  const blackActs = stage ? stage === "first" || stage === "colour" : position.moves.length % 2 === 0;
  return { ...position, turn: blackActs ? position.black : 1 - position.black };
}
