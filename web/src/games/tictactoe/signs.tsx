/** The two symbols, and how many rounds each has won. */

import { words } from "../../i18n";
import type { Seat, TictactoePosition } from "../../wire";
import { ENOUGH, symbolOf, type Symbol } from "./position";

export function Sign({ symbol, fresh = false }: { symbol: Symbol; fresh?: boolean }) {
  return (
    <svg class={`sign sign-${symbol} ${fresh ? "sign-fresh" : ""}`} viewBox="0 0 40 40" aria-hidden="true">
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

interface AtSeat {
  position: TictactoePosition;
  seat: Seat;
}

export function Badge({ position, seat }: AtSeat) {
  const symbol = symbolOf(position, seat);
  return (
    <span class="badge-sign" role="img" aria-label={symbol}>
      <Sign symbol={symbol} />
    </span>
  );
}

export function Score({ position, seat }: AtSeat) {
  const wins = position.wins[seat] ?? 0;
  return (
    <span class="pips" role="img" aria-label={words.value.tictactoe.score(wins)}>
      {Array.from({ length: ENOUGH }, (_, number) => (
        <span key={number} class={number < wins ? "pip pip-won" : "pip"} />
      ))}
    </span>
  );
}

export function Emblem() {
  return (
    <svg class="emblem" viewBox="0 0 32 32" aria-hidden="true">
      <path class="emblem-lines" d="M11.3 2v28M20.7 2v28M2 11.3h28M2 20.7h28" />
      <path class="emblem-x" d="M13 13l6 6M19 13l-6 6" />
      <circle class="emblem-o" cx="25.5" cy="6.5" r="3.3" />
    </svg>
  );
}
