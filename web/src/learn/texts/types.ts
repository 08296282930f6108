/** Type of the texts around all lessons. */

export interface LearnTexts {
  title: string;
  intro: string;
  /** The pages of a game, as a navigation. */
  pages: string;
  steps: string;
  stepOf: (number: number, count: number) => string;
  stepCount: (count: number) => string;
  doneOf: (done: number, count: number) => string;
  allDone: string;
  again: string;
  back: string;
  next: string;
  skip: string;
  showMe: string;
  yourTurn: string;
  right: string;
  refused: string;
  /** After a right move that is not the last one. */
  goOn: string;
  notThis: string;
  /** A move is allowed, but the step asks for another one. */
  otherMove: string;
  finished: (page: string) => string;
  finishedText: string;
  nextPage: (page: string) => string;
  playNow: string;
  overview: string;
  dialog: (game: string) => string;
  turnAtTable: string;
  backToTable: string;
  you: string;
  opponent: string;
  done: string;
}
