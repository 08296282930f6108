/** Sounds of gomoku. */

import type { GameSounds } from "../../gameInterface";
import stone from "./stone.wav";

export const sounds: GameSounds = { move: { file: stone } };
