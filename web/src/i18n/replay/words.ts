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
  /** A finished game that the server tells again. */
  again: string;
  loading: string;
  gone: string;
  lost: string;
  retry: string;
  toTable: string;
  step: (step: number, total: number) => string;
  slider: string;
  steps: string;
  first: string;
  previous: string;
  next: string;
  last: string;
  eyes: string;
  all: string;
  watch: string;
  eyesOf: (name: string) => string;
  clock: (name: string, face: string) => string;
  ended: string;
  played: string;
  pgn: string;
  sgf: string;
  json: string;
  picture: string;
  pictureFailed: string;
  link: string;
  copied: string;
  copyFailed: string;
  proof: {
    check: string;
    busy: string;
    why: string;
    /** Everything drawn was computed again. */
    good: (draws: number) => string;
    /** The seed is the sealed one, but not all draws can be computed in a page. */
    sealed: string;
    badSeal: string;
    badDraw: string;
    seed: string;
    seal: string;
    luck: string;
    hands: string;
    command: string;
  };
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
