/** Type of the texts of what operators tell a person; they are loaded with it. */

import type { AppealError } from "../../notices/appealApi";

export interface NoticeTexts {
  title: string;
  /** Before the text of an announcement. */
  announcement: string;
  kinds: Record<"warning" | "mute" | "unrated" | "ban", string>;
  until: (what: string, time: string) => string;
  forGood: (what: string) => string;
  /** Before the reason of a ban. */
  reason: string;
  made: (time: string) => string;
  retry: string;
  appeal: string;
  appealTitle: string;
  appealLabel: string;
  send: string;
  sent: string;
  errors: Record<AppealError, string>;
}
