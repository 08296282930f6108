/** Parts about relations with their texts, which are loaded with them. */

import { ChallengeNotices } from "./ChallengeNotices";
import { FollowingPanel } from "./FollowingPanel";
import { loadRelationTexts } from "./relationTexts";

/** Load the texts, and return the parts. */
export async function loadParts() {
  const texts = await loadRelationTexts();
  return {
    ChallengeNotices: () => <ChallengeNotices text={texts.value} />,
    FollowingPanel: () => <FollowingPanel text={texts.value} />,
  };
}
