/** The dialog that challenges a player: that of a new table. */

import { CreateTableDialog } from "../dialogs/lazyDialogs";
import type { RelationTexts } from "../i18n/types/relations";

export function ChallengeDialog({ text, name, onClose }: { text: RelationTexts; name: string; onClose: () => void }) {
  return <CreateTableDialog challenge={{ name, title: text.challengeOf(name), button: text.sendChallenge, note: text.challengeNote(name) }} onClose={onClose} />;
}
