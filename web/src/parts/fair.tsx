/** The sealed chance of the match, and its seed once it may be known. */

import { words } from "../i18n";
import type { Room } from "../room";

export function Fair({ room }: { room: Room }) {
  const { fair } = words.value;
  return (
    <details class="fair">
      <summary>
        {fair.title} <code>{room.commitment.slice(0, 12)}…</code>
      </summary>
      <p class="soft">{fair.hint}</p>
      <dl>
        <dt>{fair.commitment}</dt>
        <dd>
          <code>{room.commitment}</code>
        </dd>
        {room.seed && (
          <>
            <dt>{fair.seed}</dt>
            <dd>
              <code>{room.seed}</code>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
