/** Every text of the page. A language that misses one does not compile. */

import type { GameName, Phase, Refusal } from "../wire";
import type { ChessWords } from "./chess/words";
import type { MahjongWords } from "./mahjong/words";
import type { ReplayWords } from "./replay/words";

/** Why a game can have ended. */
export type Reason =
  | "rounds"
  | "resigned"
  | "left"
  | "time"
  | "agreed"
  | "abandoned"
  | "five"
  | "full"
  | "mate"
  | "stalemate"
  | "material"
  | "threefold"
  | "fifty"
  | "fivefold"
  | "seventyfive"
  | "mined"
  | "time_material"
  | "aborted"
  | "finished";
/** The bots that have a friendly name. */
export type BotName = "perfect" | "random" | "easy" | "normal" | "hard" | Level;
/** The computers of chess, from the weakest. */
export type Level = "level1" | "level2" | "level3" | "level4" | "level5" | "level6" | "level7" | "level8";

type Count = (count: number) => string;
type Named = (name: string) => string;

export interface Words {
  name: string;
  tagline: string;
  language: string;
  toLobby: string;
  skip: string;
  close: string;
  sound: string;
  cancel: string;
  you: { label: string; change: string; save: string };
  line: {
    connecting: string;
    reconnecting: (seconds: number) => string;
    kept: (seconds: number) => string;
    soon: Count;
    now: string;
    restarted: string;
  };
  lobby: {
    game: string;
    online: Count;
    quick: string;
    create: string;
    join: string;
    joinHint: string;
    code: string;
    go: string;
    tables: string;
    loading: string;
    yours: string;
    back: string;
    sit: string;
    watch: string;
    free: string;
    watchers: Count;
    phase: Record<Phase, string>;
  };
  create: {
    title: string;
    name: string;
    nameHint: string;
    listed: string;
    clock: string;
    noClock: string;
    clockOf: (minutes: number, seconds: number) => string;
    clockMove: Count;
    clockOdds: (yours: string, other: string) => string;
    clockOwn: string;
    minutes: string;
    minutesOther: string;
    seconds: string;
    side: string;
    sideRandom: string;
    opponent: string;
    others: string;
    person: string;
    bots: string;
    /** How many seats are the bot's, and how many are kept for people. */
    botsOf: (bots: number, people: number) => string;
    botOf: (name: string, level: string) => string;
    open: string;
  };
  table: {
    title: (game: string, code: string) => string;
    code: string;
    copyLink: string;
    copied: string;
    copyFailed: string;
    waiting: string;
    seatFree: string;
    invite: string;
    emptySeat: string;
    sitHere: string;
    watching: string;
    me: string;
    computer: string;
    away: string;
    here: string;
    forfeitsIn: Count;
    clock: (name: string, time: string) => string;
    start: string;
    startYours: string;
    startWaits: Named;
    seer: string;
    seerTitle: string;
    yourTurn: string;
    turnOf: Named;
    thinking: Named;
    sending: string;
    willSend: string;
    resign: string;
    resignAsk: string;
    leave: string;
    leaveAsk: string;
    leaveToBot: string;
    rematch: string;
    rematchAsked: string;
    rematchWanted: Named;
    draw: string;
    drawTitle: string;
    drawWanted: Named;
    drawAsked: string;
    undo: string;
    undoTitle: string;
    undoWanted: Named;
    undoAsked: string;
    swap: string;
    swapTitle: string;
    swapWanted: Named;
    swapAsked: string;
    accept: string;
    decline: string;
    withdraw: string;
    declined: Named;
    closed: string;
    replaced: string;
    takeBack: string;
    opening: string;
    unknownGame: string;
    match: Count;
  };
  outcome: {
    youWin: string;
    wins: Named;
    /** Several of them. */
    allWin: Named;
    draw: string;
    because: (what: string, reason: string) => string;
    reason: Record<Reason, string>;
  };
  chat: { title: string; empty: string; label: string; send: string; watcher: string; aside: string };
  fair: { title: string; commitment: string; seed: string; hint: string };
  games: Record<GameName, string>;
  /** What a bot is called at the table, and how well it plays. */
  bots: Record<BotName, { name: string; level: string }>;
  tictactoe: {
    board: string;
    cell: (row: number, column: number) => string;
    emptyCell: string;
    round: Count;
    score: Count;
    youWin: string;
    wins: Named;
    draw: string;
    next: string;
    began: Named;
    youBegin: string;
  };
  gomoku: {
    board: string;
    black: string;
    white: string;
    empty: string;
    lastStone: string;
    inLine: string;
    aimed: string;
    begins: string;
    stone: Count;
    placed: (colour: "black" | "white", point: string) => string;
    five: string;
    undone: string;
    swapped: string;
    youPlay: (colour: string) => string;
    tapAgain: (point: string) => string;
    place: (point: string) => string;
    earlier: (step: number, total: number, news: boolean) => string;
    live: string;
    end: string;
    moves: string;
    noMoves: string;
    steps: string;
    first: string;
    previous: string;
    next: string;
    last: string;
    download: string;
  };
  chess: ChessWords;
  mahjong: MahjongWords;
  replay: ReplayWords;
  refusals: Record<Refusal, string>;
}
