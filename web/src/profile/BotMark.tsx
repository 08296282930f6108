/** The mark beside the name of a bot account: a program plays for it. */

import { texts } from "../i18n/language";

export function BotMark({ shown = true }: { shown?: boolean | undefined }) {
  const { mark, note } = texts.value.botAccount;
  if (!shown) return null;
  return (
    <small class="tag tag-bot" title={note}>
      <span aria-hidden="true">{mark}</span>
      <span class="hidden"> {note}</span>
    </small>
  );
}
