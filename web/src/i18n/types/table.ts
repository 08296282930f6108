/** Type of the texts of the table page. */

import type { OfferKind, Phrase } from "../../net/protocol";

/** Why a game of any kind can have ended; a game adds its own reasons. */
export type Reason = "resigned" | "left" | "time" | "agreed" | "abandoned" | "aborted";
/** Reasons after which a game has no result. */
export type NoResult = "abandoned" | "aborted" | "left" | "resigned";
/** Bots that several games have. */
export type BotName = "random" | "easy" | "normal" | "hard" | "perfect";
/** Name of a bot at the table, and how well it plays. */
export interface BotTexts {
  name: string;
  level: string;
}

type Count = (count: number) => string;
type Named = (name: string) => string;

/** Texts of one kind of offer; `active`: while an agreed offer has an effect that lasts. */
export interface OfferTexts {
  name: string;
  title: string;
  question: Named;
  waiting: string;
  active?: string;
}

export interface TableTexts {
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
    /** Where other programs may receive hidden information. */
    sitAnyway: string;
    watching: string;
    you: string;
    computer: string;
    away: string;
    here: string;
    forfeitsIn: Count;
    clock: (name: string, time: string) => string;
    secondsLeft: (seconds: number) => string;
    lag: Count;
    lagTitle: Count;
    start: string;
    startYours: string;
    startWaits: Named;
    seesHidden: string;
    seesHiddenTitle: string;
    yourTurn: string;
    turnOf: Named;
    thinking: Named;
    /** A move waits for confirmation. */
    confirmMove: string;
    confirm: string;
    /** Zen mode: only board, players, clocks and actions are shown. */
    zen: string;
    zenEnd: string;
    sending: string;
    willSend: string;
    resign: string;
    resignAsk: string;
    leave: string;
    leaveAsk: string;
    leaveToBot: string;
    offers: Readonly<Record<OfferKind, OfferTexts>>;
    accept: string;
    decline: string;
    withdraw: string;
    declined: Named;
    closed: string;
    replaced: string;
    moveHere: string;
    opening: string;
    unknownGame: string;
    gameLoading: string;
    gameFailed: string;
    match: Count;
  };
  outcome: {
    youWin: string;
    youLose: string;
    /** The winner has left, and the name is unknown. */
    over: string;
    wins: Named;
    /** Several winners. */
    allWin: Named;
    draw: string;
    because: (what: string, reason: string) => string;
    reason: Record<Reason, string>;
    /** Results of games that nobody won or drew. */
    noResult: Record<NoResult, string>;
  };
  /** Names and levels of bots that several games have; a game adds its own. */
  bots: Record<BotName, BotTexts>;
  chat: { title: string; empty: string; label: string; send: string; spectator: string; spectatorsOnly: string };
  /** Actions after a game. */
  gameEnd: {
    newOpponent: Count;
    /** How many of the players want a rematch. */
    wantRematch: (count: number, players: number) => string;
    share: string;
    /** Close and open the panel with the result. */
    showBoard: string;
    showResult: string;
  };
  sidePanel: {
    /** Tabs. */
    moves: string;
    chat: string;
    about: string;
    tabs: string;
    unread: (count: number) => string;
    /** Help for keyboard users. */
    keys: string;
  };
  /** A player is disconnected, and the consequence. */
  absence: {
    short: (seconds: number) => string;
    waits: (name: string) => string;
    forfeits: (name: string, seconds: number) => string;
    substitute: (name: string, bot: string) => string;
    substituteSoon: (name: string, bot: string, seconds: number) => string;
    back: (name: string) => string;
    /** The user is disconnected. */
    youForfeit: (seconds: number) => string;
    youSubstitute: string;
  };
  tableInfo: {
    title: string;
    rated: string;
    noUndo: string;
    undoAllowed: string;
    seesHidden: string;
    delay: (seconds: number) => string;
    waits: string;
    forfeits: (seconds: number) => string;
    substitute: (bot: string) => string;
    unlisted: string;
    noSpectators: string;
    spectators: (count: number) => string;
    /** After a game, when a player has left. */
    seatVacated: string;
    youAreDelayed: (seconds: number) => string;
  };
  seatTransferPage: {
    title: string;
    question: string;
    hint: string;
    here: string;
    taking: string;
    no: string;
  };
  chatActions: {
    phrases: string;
    back: string;
    mute: (name: string) => string;
    unmute: string;
    muted: (name: string) => string;
    report: string;
    reported: string;
    about: (name: string) => string;
    close: string;
    open: string;
    closed: string;
    closedFor: string;
    reopened: string;
  };
  phrases: Record<Phrase, string>;
}
