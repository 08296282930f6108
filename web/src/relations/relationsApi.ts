/** Requests about relations: follow and block players, see who is online. */

import { isRefusal, postAccount, type Refusal } from "../account/accountApi";
import type { Millis, RoomId } from "../net/protocol";

/** A public table where a player is. */
export interface TableOfPlayer {
  room: RoomId;
  game: string;
  does: "plays" | "waits" | "watches";
}

/** Whether a player is online, as far as the user may know. */
export interface OnlineStatus {
  online: boolean;
  table: TableOfPlayer | null;
}

export interface Related {
  name: string;
  since: Millis;
}

export type Followed = Related & OnlineStatus;

/** What the user is to a player. */
export interface Relation extends OnlineStatus {
  followed: boolean;
  blocked: boolean;
  /** Whether the player takes challenges at all. */
  takes_challenges: boolean;
}

/** Whose challenges an account takes. */
export const CHALLENGES_FROM = ["everyone", "followed", "nobody"] as const;
export type ChallengesFrom = (typeof CHALLENGES_FROM)[number];

export type RelationChange = "follow" | "unfollow" | "block" | "unblock";

export const changeRelation = (change: RelationChange, name: string): Promise<object | Refusal> => postAccount(change, { name });

export const setPrivacy = (invisible: boolean, challengesFrom: ChallengesFrom): Promise<object | Refusal> =>
  postAccount("privacy", { invisible, challenges_from: challengesFrom });

/** Fetch the players whom the user follows, those who are online first; null if there is no answer. */
export async function fetchFollowing(ask = fetch): Promise<readonly Followed[] | null> {
  try {
    const answer = await ask("/api/account/following", { cache: "no-store", credentials: "same-origin" });
    const found = (await answer.json()) as { followed: readonly Followed[] } | Refusal;
    return isRefusal(found) ? null : found.followed;
  } catch {
    return null;
  }
}
