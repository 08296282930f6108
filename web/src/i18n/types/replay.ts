/** Type of the texts of the replay pages. */

/** Headers of PGN and SGF files. */
export type Header =
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

type Count = (count: number) => string;

export interface ReplayTexts {
  replay: {
    title: string;
    /** Link text in the lobby. */
    open: string;
    hint: string;
    paste: string;
    file: string;
    drop: string;
    show: string;
    another: string;
    game: string;
    about: string;
    headers: Record<Header, string>;
    at: (step: number, total: number) => string;
    play: string;
    pause: string;
    speed: string;
    slow: string;
    normal: string;
    fast: string;
    keys: string;
    /** Replay of a finished game from the server. */
    replayLink: string;
    noMoves: string;
    loading: string;
    notFound: string;
    failed: string;
    retry: string;
    /** The server is busy; the page asks again in so many seconds. */
    busy: (seconds: number) => string;
    toTable: string;
    step: (step: number, total: number) => string;
    slider: string;
    steps: string;
    first: string;
    previous: string;
    next: string;
    last: string;
    viewAs: string;
    viewAsAll: string;
    viewAsSpectator: string;
    viewAsPlayer: (name: string) => string;
    clock: (name: string, face: string) => string;
    receipt: (used: string, lag: string, compensated: string) => string;
    receiptWithoutLag: (used: string) => string;
    ended: string;
    played: string;
    /** `format`: PGN, SGF or another notation. */
    download: (format: string) => string;
    json: string;
    picture: string;
    pictureFailed: string;
    link: string;
    copied: string;
    copyFailed: string;
    verify: {
      check: string;
      busy: string;
      why: string;
      /** All draws were recomputed. */
      good: (draws: number) => string;
      /** The seed matches the commitment, but the page cannot recompute all draws. */
      seedOnly: string;
      /** The seed matches the commitment, but the game was played by rules of another number. */
      otherRules: string;
      seedDiffers: string;
      drawsDiffer: string;
      seed: string;
      commitment: string;
      playerEntropy: string;
      hands: string;
      command: string;
    };
    errors: {
      nothing: string;
      unknown: string;
      empty: string;
      /** An illegal move. */
      move: (number: number, said: string) => string;
      occupied: (number: number, point: string) => string;
      turn: Count;
      start: string;
      size: string;
      otherGame: string;
      tooLarge: string;
      unreadable: string;
      loadFailed: string;
    };
  };
}
