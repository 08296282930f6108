/** Position of tic-tac-toe, and how events change it. */

import type { Seat, TictactoeEvent, TictactoePosition } from "../../net/protocol";

export type Symbol = "X" | "O";
export const EMPTY = ".";
/** Wins that end a match. */
export const WINS_NEEDED = 3;
/** Both players may ask for the next round. */
export const SHARED_MOVES: readonly string[] = ["next"];

/** Return the symbol a seat plays with. */
export function symbolOf(position: TictactoePosition, seat: Seat): Symbol {
  return seat === position.x ? "X" : "O";
}

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position: TictactoePosition, event: TictactoeEvent): TictactoePosition {
  switch (event.e) {
    case "marked": {
      const { board } = position;
      const symbol = symbolOf(position, event.seat);
      return {
        ...position,
        board: board.slice(0, event.cell) + symbol + board.slice(event.cell + 1),
        turn: 1 - event.seat,
      };
    }
    case "round_over": {
      const { round, winner, lines, wins, draws } = event;
      // The last mover keeps the turn until the next round starts.
      return { ...position, round, lines, wins, draws, resting: true, taken: winner, turn: 1 - position.turn };
    }
    case "round_started": {
      const { round, first } = event;
      return {
        ...position,
        round,
        first,
        turn: first,
        board: EMPTY.repeat(9),
        resting: false,
        taken: null,
        lines: [],
      };
    }
    default:
      return position;
  }
}
