/** Small stones beside names. */

import { StoneBadge } from "../../boardKit/StoneBadge";
import { texts } from "../../i18n/language";
import type { GomokuPosition, Seat } from "../../net/protocol";
import { colourOf } from "./position";

export function Badge({ position, seat }: { position: GomokuPosition; seat: Seat }) {
  const colour = colourOf(position, seat);
  if (colour === null) return null;
  return <StoneBadge colour={colour} label={texts.value.games.gomoku[colour]} />;
}

/** There is no score: a match is one game. */
export function Score() {
  return null;
}

export function Icon() {
  return (
    <svg class="game-icon" viewBox="0 0 32 32" aria-hidden="true">
      <path class="game-icon-lines" d="M8 2v28M16 2v28M24 2v28M2 8h28M2 16h28M2 24h28" />
      <circle class="game-icon-black" cx="8" cy="24" r="5" />
      <circle class="game-icon-black" cx="16" cy="16" r="5" />
      <circle class="game-icon-white" cx="16" cy="24" r="5" />
      <circle class="game-icon-black" cx="24" cy="8" r="5" />
    </svg>
  );
}
