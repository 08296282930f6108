/** Type of the texts about following, challenges and blocks; they are loaded with what shows them. */

import type { AccountError } from "../../account/accountApi";
import type { ChallengesFrom, TableOfPlayer } from "../../relations/relationsApi";

export interface RelationTexts {
  /** Title of the list, and the state of the button. */
  following: string;
  /** How many players the user follows. */
  all: (count: number) => string;
  nobodyOnline: string;
  followNobody: string;
  status: { online: string; offline: string } & Record<TableOfPlayer["does"], (game: string) => string>;
  follow: string;
  unfollow: string;
  followOf: (name: string) => string;
  unfollowOf: (name: string) => string;
  challenge: string;
  challengeOf: (name: string) => string;
  sendChallenge: string;
  /** Beside the button that sends it. */
  challengeNote: (name: string) => string;
  /** To the table where a player is. */
  watchOf: (name: string) => string;
  /** The table waits for a player. */
  look: string;
  /** Name of the button with the other actions. */
  more: string;
  block: (name: string) => string;
  unblock: (name: string) => string;
  unblockShort: string;
  /** What blocking does, beside its button. */
  blockNote: string;
  youBlocked: (name: string) => string;
  notice: {
    /** Name of the part of the page. */
    title: string;
    incoming: (name: string) => string;
    outgoing: (name: string) => string;
    left: (seconds: number) => string;
    accept: string;
    decline: string;
    withdraw: string;
    toTable: string;
    accepted: (name: string) => string;
    declined: (name: string) => string;
    expired: (name: string) => string;
    withdrawn: (name: string) => string;
  };
  account: {
    people: string;
    followed: string;
    blocked: string;
    blockedNobody: string;
    invisible: string;
    invisibleNote: string;
    challengesFrom: string;
    options: Record<ChallengesFrom, string>;
    saved: string;
  };
  errors: Partial<Record<AccountError, string>> & { other: string };
}
