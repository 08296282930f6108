import type { Phrase } from "../../wire";

/** What a table says about itself beside its board. */
export interface RoomWords {
  /** Tabs. */
  moves: string;
  chat: string;
  about: string;
  tabs: string;
  unread: (count: number) => string;
  /** How a board is played without a mouse. */
  keys: string;

  /** Somebody is not there, and what comes of it. */
  gone: {
    short: (seconds: number) => string;
    waits: (name: string) => string;
    forfeits: (name: string, seconds: number) => string;
    standin: (name: string, bot: string) => string;
    standinSoon: (name: string, bot: string, seconds: number) => string;
    back: (name: string) => string;
    /** The reader himself has no line. */
    youLose: (seconds: number) => string;
    youStandin: string;
  };

  rules: {
    title: string;
    noTakebacks: string;
    takebacks: string;
    delay: (seconds: number) => string;
    waits: string;
    forfeits: (seconds: number) => string;
    standin: (bot: string) => string;
    unlisted: string;
    noWatchers: string;
    watching: (count: number) => string;
  };
  /** After a game, when somebody has gone. */
  vacated: string;
  behind: (seconds: number) => string;

  hand: {
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
  seat: {
    title: string;
    question: string;
    hint: string;
    here: string;
    taking: string;
    no: string;
  };

  talk: {
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
  said: Record<Phrase, string>;
}
