/** The house rules of a table with nothing left out. */

import type { Table } from "./wire";

export interface House {
  listed: boolean;
  watchers: boolean;
  /** Seconds until somebody who is away forfeits; 0 waits for ever. */
  away: number;
  /** Seconds that watchers are behind. */
  delay: number;
  takebacks: boolean;
  /** The bot that plays for whoever is gone. */
  standin: string;
}

export function houseOf(table: Table): House {
  const { public: listed = true, watchers = true, away = 60, delay = 0, takebacks = true, standin = "" } = table;
  return { listed, watchers, away, delay, takebacks, standin };
}
