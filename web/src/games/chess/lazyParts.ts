/** Parts of chess loaded with the first table. */

export { Board } from "./board/Board";
export { MoveList } from "./notation/ChessMoveList";
export { DicePanel } from "./dice/DicePanel";
// Lessons import it from here: otherwise it would be a file of its own.
export { destinationsFromServer, legalDestinations, positionOf } from "./board/legalMoves";
