/** Type of the texts of the lobby. */

import type { Phase } from "../../net/protocol";

type Count = (count: number) => string;
type Named = (name: string) => string;

export interface LobbyTexts {
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
    quickOf: Named;
  };
  playButtons: {
    friend: string;
    computer: string;
    level: string;
    createHint: string;
  };
  tableList: {
    filter: string;
    all: string;
    waited: (minutes: number) => string;
    closed: string;
    /** Two or more. */
    emptySeats: Count;
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
    computer: Named;
    friend: string;
  };
  yourTables: {
    seat: string;
    waiting: (game: string, time: string) => string;
    stop: string;
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
