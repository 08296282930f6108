/** The board as a picture, by daylight. */

import type { Drawing } from "../game";
import { paint } from "./paint";
import { DAY } from "./palette";

export const drawing: Drawing<"gomoku"> = (context, size, { position }) =>
  paint(context, size, DAY, { moves: position?.moves ?? [], line: position?.line ?? [], ghost: null });
