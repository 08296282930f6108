/** The texts of a mahjong table; they come with its board. */

type Count = (count: number) => string;

export interface TableWords {
  hand: string;
  drawn: string;
  /** A drawn tile that lies face down. */
  covered: string;
  barred: string;
  handOf: (who: string, count: number) => string;
  setsOf: (who: string) => string;
  flowersOf: (who: string) => string;
  discardsOf: (who: string) => string;
  lastDiscard: string;
  concealed: string;
  left: Count;
  dealer: string;
  dice: (numbers: string) => string;
  ready: string;
  declare: string;
  turn: (who: string) => string;
  claimed: string;
  which: (deed: string) => string;
  back: string;
  seconds: Count;
  passedHu: string;

  switches: string;
  autoDraw: string;
  autoDrawTitle: string;
  autoPass: string;
  autoPassTitle: string;
  autoDiscard: string;
  autoDiscardTitle: string;
  hints: string;
  signs: string;
  keys: string;

  isReady: string;
  away: Count;
  complete: string;
  keep: (tile: string) => string;
  /** Where what it waits for is not told. */
  keepOnly: (tile: string) => string;
  unseen: Count;
  tai: Count;
  taiBetween: (low: number, high: number) => string;

  result: string;
  showTable: string;
  showResult: string;
  next: string;
  winner: (name: string, drawn: boolean) => string;
  nobody: string;
  winning: string;
  total: string;
  paysAll: string;
  /** What is paid: the base, and so much for each tai. */
  stakes: (base: number, unit: number) => string;
  pays: (name: string) => string;
  dealerTai: string;
  player: string;
  change: string;
  sum: string;
  /** What a row of the tai table is called here. */
  pattern: (name: string) => string;

  proof: {
    check: string;
    busy: string;
    good: string;
    goodUnseen: string;
    badSeal: string;
    badWall: string;
    seed: string;
    seal: string;
    why: string;
  };

  explain: {
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
}
