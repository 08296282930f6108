/** Parts of chess loaded with the first table. */

export { Board } from "./board/Board";
export { MoveList } from "./notation/ChessMoveList";
export { DicePanel } from "./dice/DicePanel";
