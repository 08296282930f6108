/** Sounds of tic-tac-toe. */

import type { GameSounds } from "../../gameInterface";
import mark from "./mark.wav";

export const sounds: GameSounds = { move: { file: mark } };
