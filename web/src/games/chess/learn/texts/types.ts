/** Type of the texts of the lessons of chess. */

import type { LessonTexts, PageTexts } from "../../../../learn/lessonTypes";
import type { Kind } from "../../squares";
import type { RefusalCode } from "../explainMove";

export interface ChessLessonTexts extends LessonTexts {
  pages: {
    plain: PageTexts<
      "pawn" | "pawnTakes" | "knight" | "bishop" | "rook" | "queen" | "check" | "castle" | "enPassant" | "promotion" | "mate" | "draw"
    >;
    dice: PageTexts<"order" | "king" | "skipped" | "anyOrder" | "check" | "reroll">;
    fog: PageTexts<"sight" | "hidden" | "moves" | "check">;
    mines: PageTexts<"numbers" | "boom" | "safe" | "king">;
  };
  reasons: Record<"kingMove" | "stalemate", string>;
  /** Why a move cannot be made. */
  moves: Record<Exclude<RefusalCode, "shape" | "blocked" | "ownPiece" | "die">, string> & {
    shape: Record<Kind, string>;
    blocked: (piece: string, blocker: string, yours: boolean) => string;
    ownPiece: (piece: string) => string;
    die: (pieces: string, anyOrder: boolean) => string;
  };
}
