/** Which component draws which game. */

import type { GameName } from "../wire";
import { chess } from "./chess";
import type { GameParts } from "./game";
import { gomoku } from "./gomoku";
import { mahjong } from "./mahjong";
import { tictactoe } from "./tictactoe";

type Typed = { [G in GameName]: GameParts<G> };

const typed: Typed = { tictactoe, gomoku, chess, mahjong };

/** The same, for callers that have a room's game only as a word. */
export const GAMES = typed as Record<GameName, GameParts<GameName>>;

/** Return a game's parts, if this page knows it. */
export function partsOf(game: string): GameParts<GameName> | undefined {
  return game in GAMES ? GAMES[game as GameName] : undefined;
}
