/** Tells the user of a challenge by sound and notification, and how it ended. */

import { go, route } from "../app/route";
import { showToast } from "../app/toastState";
import type { ChallengeEnded, ChallengeMade } from "../net/protocol";
import { playTone } from "../table/tones";
import { challengeFacts } from "./challengeFacts";
import { loadRelationTexts } from "./relationTexts";

export async function tellChallenge(challenge: ChallengeMade, notice: ChallengeMade | ChallengeEnded): Promise<void> {
  const { notice: text } = (await loadRelationTexts()).value;
  const { name, room, outgoing } = challenge;
  if (notice.type === "challenge") {
    if (outgoing) return;
    playTone("seat");
    if (!document.hidden) return;
    const { tellOfChallenge } = await import("../sounds/notifications");
    await tellOfChallenge(room, text.incoming(name), challengeFacts(challenge));
    return;
  }
  const { reason } = notice;
  if (!outgoing) {
    if (reason === "withdrawn") showToast(text.withdrawn(name));
    return;
  }
  if (reason === "withdrawn") return;
  showToast(text[reason](name));
  // The game has begun; a user who is at another table goes there by hand.
  if (reason === "accepted" && route.peek().at !== "table") go({ at: "table", room });
}
