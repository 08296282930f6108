/** Type of the texts of the dialogs. */

type Count = (count: number) => string;

export interface DialogTexts {
  createTable: {
    title: string;
    name: string;
    nameHint: string;
    listed: string;
    clock: string;
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
    bots: string;
    /** Number of bots and of seats left for people. */
    botsOf: (bots: number, people: number) => string;
    botOf: (name: string, level: string) => string;
    open: string;
  };
  tableRules: {
    title: string;
    listed: string;
    unlisted: string;
    spectators: string;
    spectatorDelay: string;
    noDelay: string;
    /** A duration in seconds; whole minutes are shown as minutes. */
    time: (seconds: number) => string;
    undoAllowed: string;
    seesHiddenAllowed: string;
    absence: string;
    absenceWait: string;
    absenceBot: string;
    absenceForfeit: string;
    substituteBot: string;
    forfeitAfter: string;
    /** Short forms for the summary line. */
    summary: {
      noSpectators: string;
      delay: (time: string) => string;
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
