/** Parts of gomoku loaded with the first table. */

export { Board } from "./board/Board";
export { MoveList } from "./GomokuMoveList";
