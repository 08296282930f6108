/** Names of the players of a finished game who have left, from its replay: a table knows only who sits there now. */

import type { Seat } from "../../net/protocol";
import type { Room } from "../../net/roomReducer";
import { state } from "../../net/session";
import { fetchReplay } from "../../replay/replayApi";

interface Players {
  names: readonly string[];
  bots: readonly string[];
  bot_accounts?: readonly Seat[];
}

/** Return the players of a room, with the names of a replay where nobody sits any more. */
export function withPastPlayers({ players }: Pick<Room, "players">, { names, bots, bot_accounts }: Players): Room["players"] {
  const past = (name: string, seat: Seat) => ({ name, bot: bots[seat] ?? "", ...(bot_accounts?.includes(seat) && { bot_account: true }) });
  return players.map((player, seat) => player ?? (names[seat] ? past(names[seat], seat) : null));
}

/** Fetch the names that a table lacks and add them to it. */
export async function addPastPlayers({ id, match }: Room, ask = fetch): Promise<void> {
  const replay = await fetchReplay(id, match, null, ask);
  const seen = state.value.tables[id];
  if (typeof replay === "string" || seen?.room.match !== match || seen.room.phase !== "over") return;
  const room = { ...seen.room, players: withPastPlayers(seen.room, replay) };
  state.value = { ...state.value, tables: { ...state.value.tables, [id]: { ...seen, room } } };
}
