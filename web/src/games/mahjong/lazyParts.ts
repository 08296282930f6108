/** Parts of mahjong loaded with the first table. */

export { Board } from "./table/Board";
export { ScoreCalculator } from "./scoring/ScoreCalculator";
