/** Type of the texts of mahjong. */

import type { MahjongForm, MahjongAllowedHints } from "../../../net/protocol";
import type { BaseGameTexts } from "../../../i18n/types";

type Count = (count: number) => string;
/** For each hint that a table may forbid. */
type Hints = Record<keyof MahjongAllowedHints, string>;
/** House rules that have a tag. */
type Named = Record<
  "several_winners" | "seven_pairs" | "thirteen_orphans" | "ligu" | "no_swap_call" | "declare_ting",
  string
>;
type Four = readonly [string, string, string, string];

export interface MahjongTexts extends BaseGameTexts {
  board: string;
  /** Names of tiles by kind. */
  tiles: readonly string[];
  winds: Four;
  /** Player at a wind. */
  players: Four;
  /** Round wind, and number of the deal. */
  round: (wind: number, deal: number) => string;
  streak: Count;
  discards: (who: string, tile: string) => string;
  declares: (who: string) => string;
  flowers: (who: string, tiles: string) => string;
  youDrew: (tile: string) => string;
  youMay: (actions: string) => string;
  melds: Record<MahjongForm, (who: string, tile: string) => string>;
  wins: (who: string, drawn: boolean) => string;
  nobody: string;
  began: (round: string, dealer: string) => string;
  comma: string;
  /** 胡 槓 碰 吃 過. */
  actions: { hu: string; kong: string; pong: string; chow: string; pass: string };
  selfDrawn: string;
  status: {
    discard: string;
    /** The user's drawn tile is face down. */
    draw: string;
    /** `claims`: calls that are possible on the discard. */
    claim: (claims: string) => string;
    /** The same, with the discarder and the tile. */
    claimOf: (who: string, tile: string, claims: string) => string;
    /** Between two calls. */
    or: string;
    waits: string;
    turnOf: (who: string) => string;
    claims: string;
    over: string;
    raised: (tile: string) => string;
  };
  options: {
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
  tags: { thirteen: string; sixteen: string; rounds: Count; stakes: (base: number, unit: number) => string; noHints: string; noHint: Hints; house: Named; others: string };
  /** Name of the score calculator. */
  calculator: string;
  table: {
    hand: string;
    drawn: string;
    /** A drawn tile that is face down. */
    covered: string;
    barred: string;
    handOf: (who: string, count: number) => string;
    setsOf: (who: string) => string;
    flowersOf: (who: string) => string;
    discardsOf: (who: string) => string;
    lastDiscard: string;
    concealed: string;
    left: Count;
    leftLabel: string;
    dealer: string;
    /** One letter or character on a plate. */
    dealerMark: string;
    dice: (numbers: string) => string;
    ready: string;
    declare: string;
    turn: (who: string) => string;
    claimed: string;
    which: (action: string) => string;
    /** Number of ways to make a call. */
    ways: Count;
    back: string;
    seconds: Count;
    passedWin: string;
    settings: string;
    autoDraw: string;
    autoDrawTitle: string;
    autoPass: string;
    autoPassTitle: string;
    autoDiscard: string;
    autoDiscardTitle: string;
    hints: string;
    hintsTitle: string;
    keys: string;
    isReady: string;
    shanten: Count;
    complete: string;
    readyAfter: (tile: string) => string;
    /** Used if the winning tiles are not shown. */
    readyAfterOnly: (tile: string) => string;
    unseen: Count;
    tai: Count;
    taiBetween: (low: number, high: number) => string;
    result: string;
    skip: string;
    showTable: string;
    showResult: string;
    next: string;
    winner: (name: string, drawn: boolean) => string;
    winWord: (drawn: boolean) => string;
    nobody: string;
    winning: string;
    total: string;
    paysAll: string;
    /** Stakes: base and amount per tai. */
    stakes: (base: number, unit: number) => string;
    pays: (name: string) => string;
    dealerTai: string;
    /** Who pays the dealer bonus: every player who pays, or the dealer. */
    dealerWins: string;
    dealerPays: (name: string) => string;
    player: string;
    change: string;
    sum: string;
    /** What a player did in a hand that was won. */
    roles: { drawn: string; won: string; dealtIn: string; pays: string; paid: (base: number, tai: number) => string };
    /** End of a match. */
    final: {
      title: string;
      hands: Count;
      rank: Count;
      wins: string;
      selfDrawn: string;
      dealtIn: string;
      course: string;
      courseNote: string;
      start: string;
      /** Short name of a hand. */
      hand: (wind: number, deal: number, streak: number) => string;
      best: string;
      /** Link to the replay of the best hand. */
      watchBest: string;
    };
    /** Name of a scoring pattern. */
    pattern: (name: string) => string;
    verify: {
      details: string;
      check: string;
      good: string;
      goodUnseen: string;
      seedDiffers: string;
      wallDiffers: string;
      seed: string;
      commitment: string;
      why: string;
    };
    calculator: {
      title: string;
      hint: string;
      thisHand: string;
      kind: string;
      handTiles: Count;
      win: string;
      remove: (tile: string) => string;
      add: (tile: string) => string;
      as: string;
      toHand: string;
      forms: { chow: string; pong: string; kong: string; ckong: string };
      selfDraw: string;
      seatWind: string;
      roundWind: string;
      isDealer: string;
      flags: string;
      flag: { rob: string; kong_bloom: string; last: string; heaven: string; earth: string; human: string };
      count: string;
      clear: string;
      notAWin: string;
      failed: string;
      incomplete: (have: number, need: number) => string;
      none: string;
    };
  };
}

declare module "../../../i18n/types" {
  interface GameTexts {
    mahjong: MahjongTexts;
  }
}
