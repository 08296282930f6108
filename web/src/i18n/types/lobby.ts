/** Type of the texts of the lobby. */

import type { Phase } from "../../net/protocol";

type Count = (count: number) => string;
type Named = (name: string) => string;

export interface LobbyTexts {
  lobby: {
    game: string;
    online: Count;
    create: string;
    join: string;
    joinHint: string;
    code: string;
    go: string;
    tables: string;
    loading: string;
    youHaveSeat: string;
    backToTable: string;
    sit: string;
    watch: string;
    emptySeat: string;
    spectators: Count;
    phase: Record<Phase, string>;
  };
  gameCard: {
    /** Tables that a quick match would join. */
    waiting: Count;
    /** Waiting tables with custom rules. */
    otherTables: Count;
    playing: Count;
    noTables: string;
    /** The game could not be loaded. */
    failed: string;
  };
  greeting: {
    /** By the hour of the day. */
    hello: (hour: number, name: string) => string;
    /** Surrounds the generated name of a new visitor. */
    youAre: readonly [before: string, after: string];
    chooseName: string;
  };
  playButtons: {
    anyone: string;
    friend: string;
    friendHint: string;
    computer: string;
    computerHint: string;
    level: string;
    twist: string;
    clock: string;
    /** Nobody waits now. */
    /** Somebody waits for the game in another way. */
    other: (name: string, what: string) => string;
    meanwhile: string;
  };
  tableList: {
    filter: string;
    all: string;
    waited: (minutes: number) => string;
    closed: string;
    /** Two or more. */
    emptySeats: Count;
    seated: (present: number, seats: number) => string;
    computer: string;
    /** Two or more. */
    bots: Count;
    away: string;
    delayed: (seconds: number) => string;
    /** Programs at the table may receive hidden information. */
    seesHidden: string;
  };
  emptyList: {
    title: string;
    titleOf: Named;
    hint: string;
    open: string;
  };
  bringFriend: {
    title: string;
    hint: string;
    open: string;
  };
  yourTables: {
    title: string;
    seat: string;
    yourMove: Named;
    theirMove: Named;
    waiting: (game: string, time: string) => string;
    stop: string;
    resume: string;
    more: Count;
  };
  myGames: {
    title: string;
    last: string;
    all: string;
    running: string;
    finished: string;
    none: string;
    won: string;
    lost: string;
    drawn: string;
    private: string;
  };
  learnRules: string;
  featured: {
    title: string;
    live: string;
    none: string;
    /** The game that ended last. */
    latest: string;
    noneHint: string;
    watch: Named;
  };
  whileWaiting: {
    offer: string;
    hint: string;
    /** A person sat down; the game with the computer is kept. */
    found: Named;
  };
  notFound: {
    title: string;
    text: string;
    table: string;
    tableText: string;
    noEntry: string;
    game: string;
    back: string;
  };
  invite: {
    title: string;
    scan: string;
    picture: string;
    share: string;
    shareText: (game: string) => string;
    waited: (time: string) => string;
    short: string;
    /** For pages at a loopback address, which others cannot open. */
    local: string;
    elsewhere: string;
  };
}
