/** The texts of mahjong that every page may need; those of a table are in `table/`. */

import type { MahjongForm, MahjongHinting } from "../../wire";

type Count = (count: number) => string;
/** For each hint that a table may forbid. */
type Hints = Record<keyof MahjongHinting, string>;
/** House rules that a table may have changed. */
type Named = Record<
  "several_winners" | "seven_pairs" | "thirteen_orphans" | "ligu" | "no_swap_call" | "declare_ting",
  string
>;
type Four = readonly [string, string, string, string];

export interface MahjongWords {
  board: string;
  /** By kind, as people say them. */
  tiles: readonly string[];
  winds: Four;
  /** Who sits at a wind. */
  players: Four;
  /** The prevailing wind, and which deal of it. */
  round: (wind: number, deal: number) => string;
  streak: Count;

  discards: (who: string, tile: string) => string;
  declares: (who: string) => string;
  flowers: (who: string, tiles: string) => string;
  youDrew: (tile: string) => string;
  youMay: (deeds: string) => string;
  melds: Record<MahjongForm, (who: string, tile: string) => string>;
  wins: (who: string, drawn: boolean) => string;
  nobody: string;
  began: (round: string, dealer: string) => string;
  comma: string;

  /** 胡 槓 碰 吃 過. */
  deeds: { hu: string; kong: string; pong: string; chow: string; pass: string };
  selfDrawn: string;

  status: {
    discard: string;
    /** Our draw lies face down. */
    draw: string;
    claim: string;
    waits: string;
    turnOf: (who: string) => string;
    claims: string;
    over: string;
    raised: (tile: string) => string;
  };

  settings: {
    tiles: string;
    thirteen: string;
    sixteen: string;
    rounds: string;
    roundsOf: Count;
    stakes: string;
    house: string;
    several: string;
    pairs: string;
    ligu: string;
    orphans: string;
    swap: string;
    ready: string;
    hints: string;
    hint: Hints;
  };
  tags: { sixteen: string; rounds: Count; noHints: string; noHint: Hints; house: Named; others: string };
  /** The page that counts a hand. */
  explain: string;
}
