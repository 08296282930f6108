/** Shows the commitment of a match, and its seed after the end. */

import { texts } from "../i18n/language";
import type { Room } from "../net/roomReducer";

export function Commitment({ room }: { room: Room }) {
  const { fairness } = texts.value;
  return (
    <details class="commitment">
      <summary>
        {fairness.title} <code>{room.commitment.slice(0, 12)}…</code>
      </summary>
      <p class="soft">{fairness.hint}</p>
      <dl>
        <dt>{fairness.commitment}</dt>
        <dd>
          <code>{room.commitment}</code>
        </dd>
        {room.seed && (
          <>
            <dt>{fairness.seed}</dt>
            <dd>
              <code>{room.seed}</code>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
