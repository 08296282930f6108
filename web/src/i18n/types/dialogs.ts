/** Type of the texts of the dialogs. */

import type { RatedObstacle } from "../../dialogs/ratedChoice";

type Count = (count: number) => string;

export interface DialogTexts {
  createTable: {
    title: string;
    name: string;
    nameHint: string;
    clock: string;
    /** Label of clocks that are written as minutes + seconds. */
    clockOfMinutes: string;
    noClock: string;
    clockOf: (minutes: number, seconds: number) => string;
    clockMove: Count;
    clockOdds: (yours: string, other: string) => string;
    clockCustom: string;
    lagCompensation: string;
    minutes: string;
    minutesOther: string;
    seconds: string;
    side: string;
    sideRandom: string;
    opponent: string;
    otherSeats: string;
    anyone: string;
    friend: string;
    computer: string;
    bots: string;
    /** Number of bots and of seats left for people. */
    botsOf: (bots: number, people: number) => string;
    more: string;
    /** What will be opened; the twist is empty for a plain game, the clock if there is none. */
    opens: (game: string, twist: string, clock: string) => string;
    computerShown: string;
    computerHidden: string;
    open: string;
  };
  rated: {
    /** Also the mark of a rated table. */
    name: string;
    hint: string;
    signIn: string;
    /** In the list of tables, in place of sitting down. */
    toSignIn: string;
    /** Read out before a rating. */
    rating: string;
    /** Read out for the question mark after a rating. */
    provisional: string;
    /** The rating of a bot, which was measured. */
    about: Count;
    /** Why a table cannot be rated. */
    obstacles: Record<RatedObstacle, string>;
  };
  tableRules: {
    listed: string;
    unlisted: string;
    spectators: string;
    everyone: string;
    later: (time: string) => string;
    nobody: string;
    /** A duration in seconds; whole minutes are shown as minutes. */
    time: (seconds: number) => string;
    undoAllowed: string;
    seesHiddenAllowed: string;
    absence: string;
    absenceWait: string;
    absenceBot: string;
    absenceForfeit: (time: string) => string;
    substituteBot: string;
    /** Short forms for the summary line. */
    summary: {
      sideRandom: string;
      lag: string;
      noLag: string;
      noSpectators: string;
      delay: (time: string) => string;
      undo: string;
      noUndo: string;
      seesHidden: string;
      wait: string;
      bot: string;
      forfeit: (time: string) => string;
    };
  };
  seatTransfer: {
    ask: string;
    hint: string;
    scan: (minutes: string) => string;
    label: string;
    again: string;
    expired: string;
    cancel: string;
    copy: string;
    moved: string;
    watch: string;
  };
}
