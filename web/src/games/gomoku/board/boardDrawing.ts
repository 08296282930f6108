/** Draws the gomoku board for the board image. */

import type { BoardDrawing } from "../../gameInterface";
import { sizeOf } from "../position";
import { paintBoard } from "./paintBoard";
import { boardColours } from "./boardColours";

export const boardDrawing: BoardDrawing<"gomoku"> = (context, size, { position }) =>
  paintBoard(context, size, boardColours(context.canvas), {
    lines: sizeOf(position),
    moves: position?.moves ?? [],
    line: position?.line ?? [],
    forbidden: [],
    preview: null,
  });
