/** Parts of mahjong loaded with the first table. */

export { Board } from "./table/Board";
export { movesItself } from "./autoActions";
// Lessons import these from here: otherwise they would be files of their own.
export { Patterns } from "./scoring/HandResult";
export { Payments } from "./scoring/Payments";
export { WinningTiles } from "./scoring/WinningTiles";
export { ClaimButtons } from "./table/ClaimButtons";
export { Hand } from "./table/Hand";
export { Flowers, Melds } from "./table/PlayerSide";
export { Kind, Tile } from "./tiles/Tile";
export { TileFaces } from "./tiles/TileFaces";
