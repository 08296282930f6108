/** Calls that were made between two positions. */

import type { Seat } from "../../../net/protocol";
import type { FullPosition } from "../position";

/** `drawn`: a win by self-draw. */
export type CallName = "chow" | "pong" | "kong" | "hu" | "drawn";

export interface Call {
  seat: Seat;
  name: CallName;
}

/** Return the calls that led from one position to a later one of the same hand. */
export function callsBetween(before: FullPosition, after: FullPosition): readonly Call[] {
  if (before.place !== after.place || before.streak !== after.streak || before.result !== null) return [];
  const melds = after.players.flatMap(({ melds: now }, seat): Call[] => {
    const then = before.players[seat]?.melds ?? [];
    const changed = now.find(({ form }, place) => form !== then[place]?.form);
    if (changed === undefined || now.length < then.length) return [];
    return [{ seat, name: changed.form === "chow" || changed.form === "pong" ? changed.form : "kong" }];
  });
  const wins = (after.result?.winners ?? []).map(({ seat, drawn }): Call => ({ seat, name: drawn ? "drawn" : "hu" }));
  return wins.length > 0 ? wins : melds;
}
