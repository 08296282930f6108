/** Wind, score and emblem beside names. */

import { texts } from "../../i18n/language";
import type { MahjongPosition, Seat } from "../../net/protocol";

interface BadgeProps {
  position: MahjongPosition;
  seat: Seat;
}

export function Badge({ position, seat }: BadgeProps) {
  return <span class="badge-wind">{texts.value.games.mahjong.winds[position.players[seat]?.wind ?? 0]?.slice(0, 1)}</span>;
}

export function Score({ position, seat }: BadgeProps) {
  return <span class="soft">{position.players[seat]?.score ?? 0}</span>;
}

export function Icon() {
  return (
    <svg class="game-icon" viewBox="0 0 32 32" aria-hidden="true">
      <rect x="6.5" y="3" width="19" height="27" rx="3" fill="#1f6049" />
      <rect x="6.5" y="2" width="19" height="25.5" rx="3" fill="#fbf6e6" stroke="#8f8776" stroke-width="0.8" />
      <path d="M10.5 10.5h11v7h-11zM16 5.5v18.5" fill="none" stroke="#b4211b" stroke-width="2" />
    </svg>
  );
}
