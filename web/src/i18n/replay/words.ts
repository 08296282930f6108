/** The texts of the page on which records are looked at. */

type Count = (count: number) => string;

/** What stands at the head of many records. */
export type Head =
  | "Event"
  | "Site"
  | "Date"
  | "Round"
  | "Result"
  | "Reason"
  | "Rules"
  | "WhiteElo"
  | "BlackElo"
  | "TimeControl"
  | "Opening"
  | "Annotator"
  | "Termination";

export interface ReplayWords {
  title: string;
  /** The way there from the lobby. */
  open: string;
  hint: string;
  paste: string;
  file: string;
  drop: string;
  show: string;
  another: string;
  back: string;
  game: string;
  about: string;
  heads: Record<Head, string>;
  at: (step: number, total: number) => string;
  play: string;
  pause: string;
  speed: string;
  slow: string;
  normal: string;
  fast: string;
  keys: string;
  wrong: {
    nothing: string;
    unknown: string;
    empty: string;
    /** A move that cannot be made. */
    move: (number: number, said: string) => string;
    taken: (number: number, point: string) => string;
    turn: Count;
    start: string;
    size: string;
    other: string;
    large: string;
    unread: string;
    line: string;
  };
}
