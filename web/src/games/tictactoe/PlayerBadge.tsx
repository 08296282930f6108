/** The two symbols, and rounds won. */

import { texts } from "../../i18n/language";
import type { Seat, TictactoePosition } from "../../net/protocol";
import { WINS_NEEDED, symbolOf, type Symbol } from "./position";

export function SymbolIcon({ symbol, fresh = false }: { symbol: Symbol; fresh?: boolean }) {
  return (
    <svg class={`symbol symbol-${symbol} ${fresh ? "symbol-new" : ""}`} viewBox="0 0 40 40" aria-hidden="true">
      {symbol === "X" ? (
        <>
          <path d="M9.5 9.5 L30.5 30.5" />
          <path d="M30.5 9.5 L9.5 30.5" />
        </>
      ) : (
        <path d="M20 8.2 a11.8 11.8 0 1 1 -0.01 0" />
      )}
    </svg>
  );
}

interface BadgeProps {
  position: TictactoePosition;
  seat: Seat;
}

export function Badge({ position, seat }: BadgeProps) {
  const symbol = symbolOf(position, seat);
  return (
    <span class="badge-symbol" role="img" aria-label={symbol}>
      <SymbolIcon symbol={symbol} />
    </span>
  );
}

export function Score({ position, seat }: BadgeProps) {
  const wins = position.wins[seat] ?? 0;
  return (
    <span class="pips" role="img" aria-label={texts.value.games.tictactoe.score(wins)}>
      {Array.from({ length: WINS_NEEDED }, (_, number) => (
        <span key={number} class={number < wins ? "pip pip-won" : "pip"} />
      ))}
    </span>
  );
}

export function Icon() {
  return (
    <svg class="game-icon" viewBox="0 0 32 32" aria-hidden="true">
      <path class="game-icon-lines" d="M11.3 2v28M20.7 2v28M2 11.3h28M2 20.7h28" />
      <path class="game-icon-x" d="M13 13l6 6M19 13l-6 6" />
      <circle class="game-icon-o" cx="25.5" cy="6.5" r="3.3" />
    </svg>
  );
}
