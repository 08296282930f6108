/** What the server tells of other players: challenges that are open, and whom the user has blocked. */

import { signal } from "@preact/signals";
import type { BlockedPlayers, ChallengeEnded, ChallengeMade, RoomId } from "./protocol";

export const openChallenges = signal<readonly ChallengeMade[]>([]);
/** Names whose chat lines are not shown. */
export const blockedNames = signal<readonly string[]>([]);

/** Forget everything: after a welcome the server sends it again. */
export function resetRelations(): void {
  openChallenges.value = [];
  blockedNames.value = [];
}

/** Apply a notice, and tell the user of it; what is shown is loaded with the first challenge. */
export function onRelationNotice(notice: ChallengeMade | ChallengeEnded | BlockedPlayers): void {
  if (notice.type === "blocked") {
    blockedNames.value = notice.names;
    return;
  }
  const challenge = notice.type === "challenge" ? notice : openChallenges.peek().find(({ room }) => room === notice.room);
  const others = withoutChallenge(openChallenges.peek(), notice.room);
  openChallenges.value = notice.type === "challenge" ? [...others, notice] : others;
  if (challenge) void import("../relations/tellChallenge").then(({ tellChallenge }) => tellChallenge(challenge, notice)).catch(() => undefined);
}

/** Return the challenges without that to a room. */
export function withoutChallenge(challenges: readonly ChallengeMade[], room: RoomId): readonly ChallengeMade[] {
  return challenges.filter((one) => one.room !== room);
}
