/** Draws the gomoku board for the board image. */

import type { BoardDrawing } from "../../gameInterface";
import { sizeOf } from "../position";
import { paintBoard } from "./paintBoard";
import { boardColours } from "./boardColours";

export const boardDrawing: BoardDrawing<"gomoku"> = (context, size, { position }, colours, coordinates = true) =>
  paintBoard(context, size, boardColours(colours), {
    lines: sizeOf(position),
    coordinates,
    moves: position?.moves ?? [],
    line: position?.line ?? [],
    forbidden: [],
    preview: null,
  });
