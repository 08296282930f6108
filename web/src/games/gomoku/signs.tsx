/** Small stones beside names. */

import { words } from "../../i18n";
import type { GomokuPosition, Seat } from "../../wire";
import { colourOf } from "./position";

export function Badge({ position, seat }: { position: GomokuPosition; seat: Seat }) {
  const colour = colourOf(position, seat);
  return <span class={`badge-stone badge-${colour}`} role="img" aria-label={words.value.gomoku[colour]} />;
}

/** One game decides, so there is nothing to count. */
export function Score() {
  return null;
}

export function Emblem() {
  return (
    <svg class="emblem" viewBox="0 0 32 32" aria-hidden="true">
      <path class="emblem-lines" d="M8 2v28M16 2v28M24 2v28M2 8h28M2 16h28M2 24h28" />
      <circle class="emblem-black" cx="8" cy="24" r="5" />
      <circle class="emblem-black" cx="16" cy="16" r="5" />
      <circle class="emblem-white" cx="16" cy="24" r="5" />
      <circle class="emblem-black" cx="24" cy="8" r="5" />
    </svg>
  );
}
