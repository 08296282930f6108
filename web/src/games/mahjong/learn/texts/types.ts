/** Type of the texts of the lessons of mahjong. */

import type { LessonTexts, PageTexts } from "../../../../learn/lessonTypes";

export interface MahjongLessonTexts extends LessonTexts {
  pages: {
    tutorial: PageTexts<"tiles" | "sets" | "discard" | "chow" | "pong" | "kong" | "win" | "tai" | "pay">;
    sixteen: PageTexts<"goal" | "flowers" | "priority" | "concealedKong" | "end" | "tai">;
    thirteen: PageTexts<"goal" | "sevenPairs" | "orphans" | "tai">;
  };
  reasons: Record<"claimFirst" | "passChow" | "passPong" | "passKong" | "passWin" | "kongNotPong" | "chowLow", string>;
  names: readonly [string, string, string, string];
  table: {
    yourTurn: string;
    youDiscard: (tile: string) => string;
    discards: (who: string, tile: string) => string;
    countNext: string;
    allTai: string;
    perStreak: (tai: number) => string;
  };
  examples: {
    /** Characters, dots, bamboos, honours, flowers. */
    suits: readonly [string, string, string, string, string];
    /** A run, a triplet, a pair. */
    sets: readonly [string, string, string];
    hand: string;
  };
  /** Why the patterns of the counted hands count, by their Chinese names. */
  patterns: Record<"三元牌" | "門清" | "正花" | "混一色" | "圈風刻" | "獨聽", string>;
}
