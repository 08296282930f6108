/** Type of the texts of the lessons of mahjong. */

import type { LessonTexts, PageTexts } from "../../../../learn/lessonTypes";

/** All patterns by their Chinese names; a dealer's streak is 連莊 here. */
export type PatternWord =
  | "莊家" | "連莊" | "自摸" | "門清" | "門清自摸" | "圈風刻" | "門風刻" | "三元牌" | "正花" | "花槓"
  | "獨聽" | "搶槓" | "槓上開花" | "海底撈月" | "河底撈魚" | "半求人" | "全求人" | "平胡" | "三暗刻" | "四暗刻"
  | "五暗刻" | "碰碰胡" | "混一色" | "清一色" | "字一色" | "小三元" | "大三元" | "小四喜" | "大四喜" | "地聽"
  | "天聽" | "人胡" | "地胡" | "天胡" | "七搶一" | "八仙過海" | "七對子" | "嚦咕嚦咕" | "十三么" | "見花"
  | "見字" | "明槓" | "暗槓" | "無字無花" | "門清聽" | "咪幾";

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
  /** What each pattern counts for, in a few words. */
  notes: Record<PatternWord, string>;
  /** The same about a win: with a wind of the table, or the winning tile. */
  notesWith: Record<"圈風刻" | "門風刻" | "正花" | "獨聽", (what: string) => string>;
}
