/** What each game's events do to its position. */

import type { AnyEvent, AnyPosition, Games, GameName } from "../wire";
import { reduce as chess } from "./chess/position";
import { reduce as gomoku } from "./gomoku/position";
import { reduce as mahjong } from "./mahjong/position";
import { reduce as tictactoe } from "./tictactoe/position";

type Typed = { [G in GameName]: (position: Games[G]["position"], event: Games[G]["event"]) => Games[G]["position"] };

const typed: Typed = { tictactoe, gomoku, chess, mahjong };

/** The same, for callers that have a room's game only as a word. */
export const REDUCERS = typed as Record<GameName, (position: AnyPosition, event: AnyEvent) => AnyPosition>;
