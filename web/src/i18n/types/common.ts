/** Type of the texts used everywhere. */

import type { Refusal } from "../../net/protocol";

type Count = (count: number) => string;

export interface CommonTexts {
  tagline: string;
  /** Names of birds for new visitors; a number follows. */
  newcomers: readonly string[];
  language: string;
  toLobby: string;
  /** The link to the lobby in the header. */
  play: string;
  /** The link to all lessons in the header, and the button at a table. */
  learn: string;
  /** The way to the leaderboards. */
  players: string;
  howToPlay: string;
  skip: string;
  close: string;
  cancel: string;
  sound: string;
  settings: string;
  /** Punctuation of the language. */
  punctuation: {
    labelled: (label: string, value: string) => string;
    withNote: (text: string, note: string) => string;
    comma: string;
    /** Joins sentences. */
    sentences: (...parts: readonly string[]) => string;
  };
  playerName: {
    /** In place of the name of somebody whose account was deleted. */
    deleted: string;
    label: string;
    change: string;
    save: string;
    /** The link of a signed-in person. */
    account: string;
    accountNote: string;
    signIn: string;
  };
  /** Beside the name of an account for which a program plays; screen readers say the note. */
  botAccount: { mark: string; note: string };
  connection: {
    connecting: string;
    reconnecting: (seconds: number) => string;
    moveKept: (seconds: number) => string;
    retryIn: Count;
    retryNow: string;
    restarted: string;
  };
  fairness: { title: string; commitment: string; seed: string; hint: string };
  refusals: Record<Refusal, string>;
}
